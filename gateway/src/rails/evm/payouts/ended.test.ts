import { encodeFunctionData, parseAbi } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openPayouts, orders, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { admin, deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 }, slotsInAnEpoch: 1 });
const { client } = chain;
const dollar = 10n ** 18n;
const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'csk-bep20' });
const vault = await deployVault(chain, { limits: { [token.address]: 1_000_000n * dollar } });
await token.mint(vault.address, 1_000_000n * dollar);
let bench: PayoutBench;
let good: Hex;
let barred: Hex;

beforeEach(async () => {
  await client.setAutomine(true);
  bench = await openPayouts(db, chain, vault);
  [good, barred] = [freshAddress(), freshAddress()];
});

function freshAddress(): Hex {
  return `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
}

/** Ticks and final blocks until nothing changes any more. */
async function ended(sender = bench.sender(), rounds = 4): Promise<void> {
  for (let count = 0; count < rounds; count += 1) await bench.settle(sender);
}

/** Takes the blocks from that of the newest event on out of the chain, with all that was in them. */
async function reorgOfNewest(): Promise<void> {
  const { rows } = await db.query<{ number: bigint }>(
    `SELECT max(block_number) AS number FROM evm_vault_events WHERE state = 'final'`,
  );
  const depth = Number((await client.getBlockNumber()) - (rows[0]?.number ?? 0n)) + 1;
  await client.request({ method: 'anvil_reorg', params: [depth, []] } as never);
}

/** Sends what is queued, and has the token bar the receiver just before that is mined. */
async function sentAndBarred(): Promise<void> {
  await client.setAutomine(false);
  await bench.sender().tick();
  const data = encodeFunctionData({
    abi: parseAbi(['function bar(address owner, bool barred)']),
    args: [barred, true],
  });
  const gas = { gas: 200_000n, maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 50n * 10n ** 9n };
  await client.sendTransaction({ account: admin, chain: null, to: token.address, data, ...gas });
  await chain.mine();
  await client.setAutomine(true);
  await bench.settle(bench.sender());
}

/** Two orders in one transaction, of which the token refused the second. */
async function oneRefused(): Promise<[paid: string, refused: string]> {
  const ids = await bench.order(token, [
    { to: good, units: dollar },
    { to: barred, units: dollar },
  ]);
  await sentAndBarred();
  const [paid = '', refused = ''] = ids;
  expect(bench.storyOf(paid)).toEqual(['sending', 'sent']);
  return [paid, refused];
}
const balances = async () => [await token.balanceOf(good), await token.balanceOf(barred)];
const stateOf = async (id: string) => (await orders(db)).find((each) => each.id === id)?.state;

describe('a payout that ended, and whose transaction a reorg took', () => {
  test('having failed, is not sent again with the others of it', async () => {
    const [paid, refused] = await oneRefused();
    await ended();
    expect(bench.storyOf(refused).at(-1)).toMatch(/^failed: The token refuses it/);
    await token.call('bar', barred, false);
    await reorgOfNewest();
    await token.call('bar', barred, false);
    await ended(bench.sender(), 6);
    expect(await balances()).toEqual([dollar, 0n]);
    expect(bench.storyOf(paid).slice(-2)).toEqual(['undone', 'sent']);
    expect(await stateOf(refused)).toBe('failed');
  });

  test('having been cancelled, is not sent again with the others of it', async () => {
    const [, refused] = await oneRefused();
    expect(await bench.cancel(refused)).toBe(true);
    await reorgOfNewest();
    await token.call('bar', barred, false);
    await ended(bench.sender(), 6);
    expect([await balances(), await stateOf(refused)]).toEqual([[dollar, 0n], 'cancelled']);
  });

  test('alone in it, has its nonce used up by nothing', async () => {
    const [id = ''] = await bench.order(token, [{ to: barred, units: dollar }]);
    await sentAndBarred();
    expect(await bench.cancel(id)).toBe(true);
    await reorgOfNewest();
    await token.call('bar', barred, false);
    const [other = ''] = await bench.order(token, [{ to: good, units: dollar }]);
    await ended(bench.sender(), 6);
    expect(await balances()).toEqual([dollar, 0n]);
    expect([bench.storyOf(other).at(-1), await stateOf(id)]).toEqual(['sent', 'cancelled']);
    expect((await transactions(db)).every(({ state }) => state === 'final')).toBe(true);
  });

  test('cannot be cancelled while the bytes that carry it may be mined', async () => {
    const [, refused] = await oneRefused();
    await token.call('bar', barred, false);
    await reorgOfNewest();
    await client.setAutomine(false);
    await chain.mine(3);
    bench.stop.isStopped = true;
    // It waits, and the transaction that carried it is under way again.
    await bench.settle(bench.sender());
    expect([await stateOf(refused), await bench.cancel(refused)]).toEqual(['queued', false]);
    await chain.mine();
    await client.setAutomine(true);
    await ended();
    expect([await balances(), await stateOf(refused)]).toEqual([[dollar, dollar], 'paid']);
  });
});

describe('a payout that ended, and whose old bytes somebody mined all the same,', () => {
  test('has left, and has ended again where a reorg takes that', async () => {
    const [, refused] = await oneRefused();
    const { rows } = await db.query<{ signed: Hex }>('SELECT signed FROM evm_attempts');
    expect(await bench.cancel(refused)).toBe(true);
    await reorgOfNewest();
    await token.call('bar', barred, false);
    await client.sendRawTransaction({ serializedTransaction: rows[0]?.signed ?? '0x' });
    await ended(bench.sender(), 6);
    expect(await balances()).toEqual([dollar, dollar]);
    expect([bench.storyOf(refused).at(-1), await stateOf(refused)]).toEqual(['sent', 'paid']);
    await reorgOfNewest();
    await ended(bench.sender(), 6);
    expect([await balances(), await stateOf(refused)]).toEqual([[dollar, 0n], 'failed']);
    expect(bench.storyOf(refused).slice(-2)).toEqual(['undone', expect.stringMatching(/^failed/)]);
  });

  test('by the admin, has left', async () => {
    const [id = ''] = await bench.order(token, [{ to: good, units: dollar }]);
    const { vault_id: vaultId } = (await orders(db))[0] ?? { vault_id: 0n };
    expect(await bench.cancel(id)).toBe(true);
    await vault.pay(token.address, [{ id: vaultId, to: good, amount: dollar }], { from: admin });
    await ended();
    expect([await stateOf(id), bench.storyOf(id)]).toEqual(['paid', ['sent']]);
  });
});
