import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openPayouts, orders, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { admin, deployVault, vaultCall } from '../../../../test/chain/vault-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import { payoutFaults } from './sender-state.ts';
import { renewVaultEpoch } from './vault-id.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 }, slotsInAnEpoch: 1 });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
const pausable = await deployOddToken(chain, 'PausableToken', { asset: 'usdt-bep20' });
const feeTaking = await deployOddToken(chain, 'HonestFeeToken', { asset: 'csk-bep20' });
const vault = await deployVault(chain);
for (const { address, mint } of [usdc, pausable, feeTaking]) {
  await mint(vault.address, 1_000_000n * dollar);
  await vault.call('setLimit', [address, 100_000n * dollar]);
}
let bench: PayoutBench;

beforeEach(async () => {
  await client.setAutomine(true);
  bench = await openPayouts(db, chain, vault);
});

const freshAddress = (): Hex => `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
const fresh = (units = dollar) => ({ to: freshAddress(), units });

/** A transaction of the admin that goes before all others of the next block. */
async function first(functionName: string, ...args: unknown[]): Promise<void> {
  const gas = { gas: 200_000n, maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 50n * 10n ** 9n };
  const data = vaultCall(functionName, ...args);
  await client.sendTransaction({ account: admin, chain: null, to: vault.address, data, ...gas });
}

test('a limit that is reached in the middle of a batch leaves the rest for the next day', async () => {
  const payouts = [fresh(4n * dollar), fresh(4n * dollar), fresh(4n * dollar)];
  const ids = await bench.order(usdc, payouts);
  const sender = bench.sender();
  await client.setAutomine(false);
  await sender.tick();
  // The admin is faster than the batch, of which the vault would have paid all.
  await first('setLimit', usdc.address, 9n * dollar);
  await chain.mine();
  await client.setAutomine(true);
  await bench.settle(sender);
  expect(ids.map((id) => bench.storyOf(id).slice(0, 2))).toEqual([
    ['sending', 'sent'],
    ['sending', 'sent'],
    ['sending', 'waiting: The limit of the vault was reached before it'],
  ]);
  await client.increaseTime({ seconds: 24 * 3600 });
  for (let count = 0; count < 3; count += 1) await bench.settle(sender);
  expect(bench.storyOf(ids[2]!).slice(-2)).toEqual(['sending', 'sent']);
  expect(await Promise.all(payouts.map(({ to }) => usdc.balanceOf(to)))).toEqual(
    payouts.map(({ units }) => units),
  );
  await vault.call('setLimit', [usdc.address, 100_000n * dollar]);
});

test('a vault that is paused while a batch is on its way pays it once it is open', async () => {
  const payouts = [fresh(), fresh()];
  const ids = await bench.order(usdc, payouts);
  const sender = bench.sender();
  await client.setAutomine(false);
  await sender.tick();
  await first('setPaused', true);
  await chain.mine();
  await client.setAutomine(true);
  await bench.settle(sender);
  await bench.settle(sender);
  expect(bench.storyOf(ids[0]!).slice(0, 3)).toEqual([
    'sending',
    'waiting: Its transaction was reverted',
    'waiting: The vault is paused by its admin',
  ]);
  await vault.call('setPaused', [false]);
  for (let count = 0; count < 3; count += 1) await bench.settle(sender);
  expect(ids.map((id) => bench.storyOf(id).at(-1))).toEqual(['sent', 'sent']);
  expect(await Promise.all(payouts.map(({ to }) => usdc.balanceOf(to)))).toEqual([dollar, dollar]);
});

test('a token that is paused keeps its orders waiting, and no other token', async () => {
  const [halted, other] = [fresh(), fresh()];
  await pausable.call('pause', true);
  const [id] = (await bench.order(pausable, [halted])) as [string];
  const [otherId] = (await bench.order(usdc, [other])) as [string];
  const sender = bench.sender();
  await sender.tick();
  await bench.settle(sender);
  expect(bench.storyOf(otherId)).toEqual(['sending', 'sent']);
  expect(bench.storyOf(id)).toEqual([expect.stringMatching(/^waiting: The token refuses it: .*paused/)]);
  await pausable.call('pause', false);
  for (let count = 0; count < 3; count += 1) await bench.settle(sender);
  expect([await pausable.balanceOf(halted.to), bench.storyOf(id).slice(-2)]).toEqual([
    dollar,
    ['sending', 'sent'],
  ]);
});

test('a token that keeps a fee pays nobody: the receiver would not get the amount', async () => {
  const { to, units } = fresh();
  const [id] = (await bench.order(feeTaking, [{ to, units }])) as [string];
  const sender = bench.sender();
  await sender.tick();
  await bench.settle(sender);
  expect(bench.storyOf(id)).toEqual(['waiting: The token does not pay exactly the amount']);
  expect([await feeTaking.balanceOf(to), await transactions(db)]).toEqual([0n, []]);
  expect(await bench.cancel(id)).toBe(true);
});

test('endpoints that lag or lie have nothing paid twice, and nothing called paid that was not', async () => {
  const [laggard, liar] = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
  bench = await openPayouts(db, chain, vault, { rpcUrls: [laggard.url, liar.url] });
  const { to, units } = fresh();
  const [id] = (await bench.order(usdc, [{ to, units }])) as [string];
  const sender = bench.sender();
  await sender.tick();
  // One has not come so far yet, and the other one hides what the vault did.
  laggard.faults.lagBlocks = 2;
  liar.faults.hides = true;
  for (let count = 0; count < 3; count += 1) await bench.settle(sender);
  expect(bench.storyOf(id)).toEqual(['sending']);
  expect((await payoutFaults(db, chain.id)).length).toBe(1);
  laggard.mend();
  liar.mend();
  for (let count = 0; count < 2; count += 1) await bench.settle(sender);
  expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 1 }]);
});

test('a database of before the payout pays it no second time, and learns that it has left', async () => {
  const { to, units } = fresh();
  const [id] = (await bench.order(usdc, [{ to, units }])) as [string];
  await bench.sender().tick();
  await bench.settle(bench.sender());
  expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
  await goBack(id);
  const restored = bench.sender();
  await restored.tick();
  for (let count = 0; count < 3; count += 1) await bench.settle(restored);
  expect((await orders(db)).map(({ state }) => state)).toEqual(['paid']);
  expect(bench.storyOf(id).slice(-1)).toEqual(['sent']);
  expect([await usdc.balanceOf(to), await transactions(db)]).toEqual([dollar, []]);
});

/** What a restore brings back that was made between the order and its transaction. */
async function goBack(id: string): Promise<void> {
  await db.query(
    `UPDATE evm_payouts SET state = 'queued', transaction_id = NULL, paid_by = NULL, ended_at = NULL, retry_at = created_at,
       reported_state = 'queued' WHERE id = $1`,
    [id],
  );
  for (const table of ['evm_attempts', 'evm_transactions', 'evm_vault_events', 'evm_payout_senders']) {
    await db.query(`DELETE FROM ${table}`);
  }
  await transaction(db, renewVaultEpoch);
}
