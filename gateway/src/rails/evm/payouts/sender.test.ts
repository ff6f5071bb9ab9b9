import { encodeFunctionData, getAddress, parseAbi } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain } from '../../../../test/chain/chain.ts';
import { openPayouts, orders, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { makeAddresses } from '../addresses/addresses.ts';
import type { Hex } from '../config/chains.ts';
import { readGasKey } from '../send/key.ts';
import { payoutFaults } from './sender-state.ts';
import { renewVaultEpoch } from './vault-id.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18, 'usdt-bep20': 18 }, slotsInAnEpoch: 1 });
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const dollar = 10n ** 18n;
const vault = await deployVault(chain);
for (const { address, mint } of [usdc, usdt]) {
  await mint(vault.address, 1_000_000n * dollar);
  await vault.call('setLimit', [address, 100_000n * dollar]);
}
let bench: PayoutBench;

beforeEach(async () => {
  bench = await openPayouts(db, chain, vault);
});

const freshAddress = (): Hex => `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;

describe('an order', () => {
  test('is signed, sent, and paid exactly once; its report is sent when the event is final', async () => {
    const to = freshAddress();
    const [id] = (await bench.order(usdc, [{ to, units: 50n * dollar }])) as [string];
    const sender = bench.sender();
    await sender.tick();
    expect(await usdc.balanceOf(to)).toBe(50n * dollar);
    await sender.tick();
    expect(bench.storyOf(id)).toEqual(['sending']);
    await bench.settle(sender);
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
    const [sent] = await transactions(db);
    expect(bench.reports.map(({ transaction: hash }) => hash)).toEqual([sent!.hash, sent!.hash]);
    expect(sent).toMatchObject({ state: 'final', attempts: 1 });
    await bench.settle(sender);
    expect([await usdc.balanceOf(to), bench.reports.length]).toEqual([50n * dollar, 2]);
  });

  test('can be taken back until it is signed, and not later', async () => {
    const [first, second] = (await bench.order(usdc, [
      { to: freshAddress(), units: dollar },
      { to: freshAddress(), units: dollar },
    ])) as [string, string];
    expect(await bench.cancel(first)).toBe(true);
    await bench.sender().tick();
    expect(await bench.cancel(second)).toBe(false);
    expect((await orders(db)).map(({ state }) => state)).toEqual(['cancelled', 'signed']);
    expect(bench.storyOf(first)).toEqual([]);
  });

  test('twice is one order, and with another content it is refused', async () => {
    const order = {
      id: crypto.randomUUID(),
      asset: usdc.asset,
      units: dollar,
      to: freshAddress(),
      memo: null,
    };
    for (let count = 0; count < 2; count += 1) await transaction(db, (tx) => bench.sending.order(tx, order));
    expect(await orders(db)).toHaveLength(1);
    await expect(
      transaction(db, (tx) => bench.sending.order(tx, { ...order, units: 2n * dollar })),
    ).rejects.toThrow('another content');
  });

  test('to a contract of ours, or to what is no address, has a fault', () => {
    const faultOf = (to: string) => bench.sending.faultOf({ asset: usdc.asset, to, memo: null })?.why;
    expect(faultOf(usdc.address)).toContain("token's contract");
    expect(faultOf(vault.address.toUpperCase().replace('0X', '0x'))).toContain('the vault');
    expect(faultOf('0x12')).toContain('40 hexadecimal digits');
    expect(faultOf(freshAddress())).toBeUndefined();
  });

  test('to a deposit address that was given out is known as one of ours', async () => {
    const payment = newId<'payment'>(new Date());
    await transaction(db, (tx) => makeAddresses(tx, [bench.deps.chain], [payment], new Date()));
    const { rows } = await db.query<{ address: Hex }>(
      'SELECT address FROM evm_addresses WHERE owner_id = $1',
      [payment],
    );
    const own = getAddress(rows[0]!.address);
    expect(await bench.sending.ownOf(db, [freshAddress(), own])).toEqual(new Set([own]));
  });

  test('has an id beside those of its neighbours, and other bits after a restore', async () => {
    await bench.order(
      usdc,
      Array.from({ length: 3 }, () => ({ to: freshAddress(), units: 1n })),
    );
    await transaction(db, renewVaultEpoch);
    await bench.order(usdc, [{ to: freshAddress(), units: 1n }]);
    const epochs = (await orders(db)).map(({ vault_id }) => vault_id >> 64n);
    expect(new Set(epochs).size).toBe(2);
    const numbers = (await orders(db)).map(({ vault_id }) => vault_id & (2n ** 64n - 1n));
    const lowest = numbers.reduce((least, each) => (each < least ? each : least));
    expect(new Set(numbers.map((each) => each - lowest))).toEqual(new Set([0n, 1n, 2n, 3n]));
  });
});

describe('many orders', () => {
  test('of 500 leave in five transactions, neighbours together', async () => {
    const receivers = Array.from({ length: 500 }, freshAddress);
    await bench.order(
      usdc,
      receivers.map((to) => ({ to, units: dollar })),
    );
    const sender = bench.sender();
    await sender.tick();
    expect((await transactions(db)).map(({ payments }) => payments.length)).toEqual([
      100, 100, 100, 100, 100,
    ]);
    expect(await usdc.balanceOf(receivers[499]!)).toBe(dollar);
    await bench.settle(sender);
    expect(bench.reports.filter(({ state }) => state === 'sent')).toHaveLength(500);
  });

  test('above the limit of the day wait with the reason, and go on the next day', async () => {
    await vault.call('setLimit', [usdt.address, 10n * dollar]);
    const [, left] = (await vault.read('limitOf', usdt.address)) as [bigint, bigint];
    expect(left).toBe(10n * dollar);
    const ids = await bench.order(
      usdt,
      [6n, 5n, 4n].map((units) => ({ to: freshAddress(), units: units * dollar })),
    );
    const sender = bench.sender();
    await sender.tick();
    await bench.settle(sender);
    expect(bench.storyOf(ids[0]!)).toEqual(['sending', 'sent']);
    expect(bench.storyOf(ids[1]!)[0]).toBe(
      'waiting: The vault may pay out 10 usdt-bep20 more today: its limit is reached',
    );
    expect(bench.storyOf(ids[2]!)).toEqual(['sending', 'sent']);
    await chain.client.increaseTime({ seconds: 24 * 3600 });
    await bench.settle(sender);
    await bench.settle(sender);
    expect(bench.storyOf(ids[1]!).slice(-2)).toEqual(['sending', 'sent']);
    await vault.call('setLimit', [usdt.address, 100_000n * dollar]);
  });

  test('wait while the vault is paused, has another signer, or holds too little', async () => {
    const [id] = (await bench.order(usdc, [{ to: freshAddress(), units: dollar }])) as [string];
    const sender = bench.sender();
    await vault.call('setPaused', [true]);
    await sender.tick();
    expect(bench.storyOf(id)).toEqual(['waiting: The vault is paused by its admin']);
    expect(await payoutFaults(db, chain.id)).toEqual([
      { code: 'not_sending', message: 'The vault is paused by its admin' },
    ]);
    await vault.call('setPaused', [false]);
    await vault.call('setSigner', [freshAddress()]);
    await bench.settle(sender);
    expect(bench.storyOf(id).at(-1)).toContain('florin vault signer');
    await vault.call('setSigner', [bench.key.address]);
    const held = await usdc.balanceOf(vault.address);
    await vault.call('take', [usdc.address, freshAddress(), held]);
    await bench.settle(sender);
    expect(bench.storyOf(id).at(-1)).toBe('waiting: The vault holds 0 usdc-bep20, which is too little');
    await usdc.mint(vault.address, held);
    await bench.settle(sender);
    await bench.settle(sender);
    expect(bench.storyOf(id).slice(-2)).toEqual(['sending', 'sent']);
    expect(await payoutFaults(db, chain.id)).toEqual([]);
  });

  test('wait while the signer has no coins for gas, and while the operator has stopped payouts', async () => {
    const [id] = (await bench.order(usdc, [{ to: freshAddress(), units: dollar }])) as [string];
    const sender = bench.sender();
    bench.stop.isStopped = true;
    await sender.tick();
    expect(await transactions(db)).toEqual([]);
    bench.stop.isStopped = false;
    await chain.client.setBalance({ address: bench.key.address, value: 1_000n });
    await bench.settle(sender);
    expect(bench.storyOf(id)).toEqual([
      expect.stringMatching(/^waiting: The signer of the vault, 0x.* too little for gas/),
    ]);
    await chain.client.setBalance({ address: bench.key.address, value: 10n ** 18n });
    await bench.settle(sender);
    await bench.settle(sender);
    expect(bench.storyOf(id).slice(-2)).toEqual(['sending', 'sent']);
  });

  test('are not signed from the moment on when the operator stops payouts', async () => {
    await bench.order(usdc, [{ to: freshAddress(), units: dollar }]);
    await bench.order(usdt, [{ to: freshAddress(), units: dollar }]);
    const key = await readGasKey(bench.key.file);
    const sign: typeof key.sign = async (call) => {
      bench.stop.isStopped = true;
      return await key.sign(call);
    };
    await bench.sender({ readKey: async () => ({ ...key, sign }) }).tick();
    expect(await transactions(db)).toHaveLength(1);
    bench.stop.isStopped = false;
    await bench.settle(bench.sender());
    expect(await transactions(db)).toHaveLength(2);
  });
});

describe('a token', () => {
  test('that bars one receiver holds back that one alone; refused when mined while others pass, it fails', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'csk-bep20' });
    await token.mint(vault.address, 1_000n);
    await vault.call('setLimit', [token.address, 1_000n]);
    bench = await openPayouts(db, chain, vault);
    const three = [1, 2, 3].map(() => ({ to: freshAddress(), units: 10n }));
    await token.call('bar', three[1]!.to, true);
    const [first, barred] = (await bench.order(token, three)) as [string, string];
    const sender = bench.sender();
    await sender.tick();
    await bench.settle(sender);
    expect(bench.storyOf(first)).toEqual(['sending', 'sent']);
    expect(bench.storyOf(barred)[0]).toMatch(/^waiting: The token refuses it: .*barred/);
    // While it is signed the token changes its mind: only the vault's event tells.
    await token.call('bar', three[1]!.to, false);
    const [other] = (await bench.order(token, [{ to: freshAddress(), units: 10n }])) as [string];
    await chain.client.setAutomine(false);
    bench.clock.advance(3_601);
    await sender.tick();
    await barFirst(token.address, three[1]!.to);
    await chain.mine();
    await chain.client.setAutomine(true);
    await bench.settle(sender);
    await bench.settle(sender);
    expect(bench.storyOf(other)).toEqual(['sending', 'sent']);
    expect(bench.storyOf(barred).slice(-2)).toEqual([
      'waiting: The token refused it',
      expect.stringMatching(/^failed: The token refuses it: .*barred/),
    ]);
    expect(await token.balanceOf(three[1]!.to)).toBe(0n);
  });
});

/** Bars a receiver by a transaction that goes before all others of the next block. */
async function barFirst(token: Hex, receiver: Hex): Promise<void> {
  const abi = parseAbi(['function bar(address owner, bool barred)']);
  await chain.client.sendTransaction({
    account: accounts.deployer,
    chain: null,
    to: token,
    data: encodeFunctionData({ abi, functionName: 'bar', args: [receiver, true] }),
    gas: 100_000n,
    maxFeePerGas: 100n * 10n ** 9n,
    maxPriorityFeePerGas: 50n * 10n ** 9n,
  });
}
