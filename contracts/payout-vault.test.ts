import { describe, expect, test } from 'vitest';
import { keccakOf } from '../gateway/src/rails/evm/addresses/forwarders.ts';
import { vaultAddress, vaultCodeHash } from '../gateway/src/rails/evm/addresses/vault.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { accounts, startChain } from '../gateway/test/chain/chain.ts';
import {
  admin,
  deployVault,
  reasonOf,
  signer,
  type TestPayout,
  vaultAbi,
  vaultCall,
} from '../gateway/test/chain/vault-fixtures.ts';
import { freshAddress, nativeCoin, stranger } from './test/fixtures.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18, 'usdt-bep20': 18 } });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000_000n, [usdt.address]: 1_000n } });
await usdc.mint(vault.address, 10n ** 9n);
await usdt.mint(vault.address, 10n ** 9n);

let lastId = 0n;
/** A payout with the next id, to an address that nobody has used. */
function payout(amount: bigint, to: Hex = freshAddress()): TestPayout {
  lastId += 1n;
  return { id: lastId, to, amount };
}

async function tomorrow(): Promise<void> {
  await client.increaseTime({ seconds: 24 * 3600 });
  await chain.mine();
}

const names = ({ logs }: { logs: { name: string }[] }) => logs.map(({ name }) => name);

describe('a vault', () => {
  test('is where it follows from its admin, and has no signer and no limit at birth', async () => {
    const bare = await deployVault(chain, { by: stranger });
    expect(bare.address).toBe(vaultAddress(stranger.toLowerCase() as Hex));
    expect(keccakOf((await client.getCode({ address: bare.address }))!)).toBe(vaultCodeHash);
    expect(keccakOf((await client.getCode({ address: vault.address }))!)).toBe(vaultCodeHash);
    expect(`${await bare.read('admin')}`.toLowerCase()).toBe(stranger.toLowerCase());
    expect(await bare.read('signer')).toBe(nativeCoin);
    expect(await bare.read('limitOf', usdc.address)).toEqual([0n, 0n]);
    expect(await bare.pay(usdc.address, [payout(1n)])).toMatchObject({ succeeded: false });
  });

  test('pays each of many exactly, once for ever, whoever asks and however often', async () => {
    const payouts = [payout(5n), payout(6n), payout(7n)];
    expect(await vault.pay(usdc.address, payouts)).toMatchObject({ succeeded: true });
    const again = [payout(1n), ...payouts, payouts[0]!];
    const outcome = await vault.pay(usdc.address, again);
    expect(names(outcome)).toEqual(['Paid', 'Refused', 'Refused', 'Refused', 'Refused']);
    expect(outcome.logs[1]).toMatchObject({
      id: payouts[0]!.id,
      amount: 5n,
      reason: reasonOf('AlreadyPaid'),
    });
    await tomorrow();
    for (const from of [signer, admin]) {
      for (const token of [usdc.address, usdt.address]) {
        expect(names(await vault.pay(token, payouts, { from }))).toEqual(payouts.map(() => 'Refused'));
      }
    }
    for (const { to, amount, id } of payouts) {
      expect(await usdc.balanceOf(to)).toBe(amount);
      expect(await vault.read('isPaid', id)).toBe(true);
      expect(await vault.read('isPaid', id + 256n)).toBe(false);
    }
  });

  test('names an id that stands twice in a batch once', async () => {
    const twice = payout(5n);
    expect(names(await vault.pay(usdc.address, [twice, twice]))).toEqual(['Paid', 'Refused']);
    expect(await usdc.balanceOf(twice.to)).toBe(5n);
  });

  test('in the middle of a batch refuses what is above the limit, and pays what still fits', async () => {
    await tomorrow();
    const payouts = [payout(600n), payout(500n), payout(400n), payout(1n)];
    const expected = ['Paid', 'Refused', 'Paid', 'Refused'];
    const none = '0xffffffff';
    const limit = reasonOf('LimitReached');
    expect(await vault.reasons(usdt.address, payouts)).toEqual([none, limit, none, limit]);
    const outcome = await vault.pay(usdt.address, payouts);
    expect(names(outcome)).toEqual(expected);
    expect(outcome.logs[1]).toMatchObject({ reason: limit });
    expect(await vault.read('limitOf', usdt.address)).toEqual([1_000n, 0n]);
    await tomorrow();
    expect(await vault.read('limitOf', usdt.address)).toEqual([1_000n, 1_000n]);
    expect(names(await vault.pay(usdt.address, payouts))).toEqual(['Refused', 'Paid', 'Refused', 'Paid']);
    // The admin has no limit, and does not use up the signer's.
    expect(names(await vault.pay(usdt.address, [payout(5_000n)], { from: admin }))).toEqual(['Paid']);
    expect(await vault.read('limitOf', usdt.address)).toEqual([1_000n, 499n]);
  });

  test('gives a thief of the key no more than the limit of each day, until it is paused', async () => {
    await tomorrow();
    const thief = freshAddress();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (const day of [1n, 2n, 3n]) {
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const greedy = Array.from({ length: 1 + random(5) }, () => payout(BigInt(1 + random(700)), thief));
        await vault.pay(usdt.address, greedy);
        expect(await usdt.balanceOf(thief)).toBeLessThanOrEqual(day * 1_000n);
      }
      // With the smallest amounts the limit is used up, to the last unit and no further.
      const [, left] = (await vault.read('limitOf', usdt.address)) as [bigint, bigint];
      await vault.pay(usdt.address, [payout(left, thief), payout(1n, thief), payout(2n ** 255n, thief)]);
      expect(await usdt.balanceOf(thief)).toBe(day * 1_000n);
      await tomorrow();
    }
    await vault.call('setPaused', [true]);
    expect(await vault.pay(usdt.address, [payout(1n, thief)])).toMatchObject({ succeeded: false });
    expect(names(await vault.pay(usdt.address, [payout(1n)], { from: admin }))).toEqual(['Paid']);
    await vault.call('setPaused', [false]);
    expect(await usdt.balanceOf(thief)).toBe(3_000n);
  });

  test('keeps what was spent today when its limit is changed, and can be left below it', async () => {
    await tomorrow();
    await vault.pay(usdt.address, [payout(600n)]);
    await vault.call('setLimit', [usdt.address, 500n]);
    expect(await vault.read('limitOf', usdt.address)).toEqual([500n, 0n]);
    expect(names(await vault.pay(usdt.address, [payout(1n)]))).toEqual(['Refused']);
    await vault.call('setLimit', [usdt.address, 1_000n]);
    expect(await vault.read('limitOf', usdt.address)).toEqual([1_000n, 400n]);
  });
});

describe('nobody but the admin', () => {
  test('can do what the admin can, nor call what the vault calls itself', async () => {
    const calls: [string, ...unknown[]][] = [
      ['setSigner', stranger],
      ['setLimit', usdc.address, 10n ** 20n],
      ['setPaused', true],
      ['offerAdmin', stranger],
      ['take', usdc.address, stranger, 1n],
      ['take', nativeCoin, stranger, 0n],
      ['call', usdc.address, 0n, '0x'],
      ['acceptAdmin'],
      ['payOne', usdc.address, payout(1n), false],
    ];
    for (const [name, ...args] of calls) {
      for (const from of [signer, stranger, accounts.payer.address]) {
        expect(await vault.call(name, args, from), name).toMatchObject({ succeeded: false, logs: [] });
      }
    }
    expect(await vault.pay(usdc.address, [payout(1n)], { from: stranger })).toMatchObject({
      succeeded: false,
    });
    const changing = vaultAbi.filter(
      (each) => each.type === 'function' && each.stateMutability === 'nonpayable',
    );
    expect(new Set(changing.map(({ name }) => name))).toEqual(
      new Set([...calls.map(([name]) => name), 'pay']),
    );
  });

  test('becomes admin but by accepting, and then the one before is none any more', async () => {
    const other = accounts.treasury.address;
    await vault.call('offerAdmin', [other]);
    expect(await vault.call('setPaused', [false])).toMatchObject({ succeeded: true });
    expect(await vault.call('acceptAdmin', [], other)).toMatchObject({ succeeded: true });
    expect(await vault.call('setPaused', [false])).toMatchObject({ succeeded: false });
    expect(await vault.call('acceptAdmin', [], other)).toMatchObject({ succeeded: false });
    await vault.call('offerAdmin', [admin], other);
    await vault.call('acceptAdmin', [], admin);
    expect(`${await vault.read('admin')}`.toLowerCase()).toBe(admin);
    expect(await vault.read('nextAdmin')).toBe(nativeCoin);
  });

  test('takes anything out: tokens, the native coin, and what needs another call', async () => {
    const to = freshAddress();
    expect(names(await vault.call('take', [usdc.address, to, 7n]))).toEqual(['Taken']);
    expect(await usdc.balanceOf(to)).toBe(7n);
    await client.request({
      method: 'eth_sendTransactionSync',
      params: [{ from: accounts.payer.address, to: vault.address, value: '0x9' }],
    } as never);
    await vault.call('take', [nativeCoin, to, 9n]);
    expect(await client.getBalance({ address: to })).toBe(9n);
    const data = vaultCall('take', usdc.address, to, 1n);
    expect(await vault.call('call', [vault.address, 0n, data])).toMatchObject({ succeeded: false });
    expect(await vault.call('take', [usdc.address, to, 10n ** 30n])).toMatchObject({ succeeded: false });
    // A call to an address without a contract would succeed, and move nothing.
    expect(await vault.call('take', [freshAddress(), to, 1n])).toMatchObject({ succeeded: false });
  });
});
