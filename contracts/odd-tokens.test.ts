import { describe, expect, test } from 'vitest';
import { factoryAddress } from '../gateway/src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import {
  callers,
  flushCall,
  nativeCoin,
  openPayments,
  stranger,
  sweepCall,
  sweepOneCall,
} from './test/fixtures.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20']!;
const { give, pay, sweep, sweepOne, balance, contract, implementation } = callers(chain);

describe('a token', () => {
  test('that answers nothing is moved', async () => {
    const token = await deployOddToken(chain, 'SilentToken', { asset: 'silent' });
    const { destination, payments, addresses } = openPayments(2);
    await pay(token, addresses, 3n);
    expect(await sweep(token.address, destination, payments)).toMatchObject({ succeeded: true, failed: [] });
    expect(await token.balanceOf(destination)).toBe(6n);
  });

  test.each([
    ['false', `0x${'0'.repeat(64)}`],
    ['a 2', `0x${'2'.padStart(64, '0')}`],
    ['too few bytes', '0x01'],
    ['a text', `0x${'7'.repeat(192)}`],
  ])('that answers %s is told as a failure, and is moved when it answers true', async (_, answer) => {
    const token = await deployOddToken(chain, 'AnsweringToken', { asset: 'answering' });
    const { destination, payments, addresses } = openPayments(2);
    await pay(token, addresses, 3n);
    await token.call('refuseWith', answer);
    expect(await sweep(token.address, destination, payments)).toMatchObject({
      succeeded: true,
      failed: payments,
    });
    expect(await sweepOne(token.address, destination, payments[0]!)).toMatchObject({ succeeded: false });
    await token.call('accept');
    expect(await sweep(token.address, destination, payments)).toMatchObject({ succeeded: true, failed: [] });
    expect(await token.balanceOf(destination)).toBe(6n);
  });

  test('that bars one address holds back that one alone', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'barring' });
    const { destination, payments, addresses } = openPayments(3);
    await pay(token, addresses, 3n);
    await token.call('bar', addresses[1], true);
    expect(await sweep(token.address, destination, payments)).toMatchObject({
      succeeded: true,
      failed: [payments[1]],
    });
    expect(await token.balanceOf(destination)).toBe(6n);
    await token.call('bar', addresses[1], false);
    expect(await sweepOne(token.address, destination, payments[1]!)).toMatchObject({ succeeded: true });
    expect(await token.balanceOf(destination)).toBe(9n);
  });

  test('that is paused stays where it is until it is not', async () => {
    const token = await deployOddToken(chain, 'PausableToken', { asset: 'pausing' });
    const { destination, payments, addresses } = openPayments(2);
    await pay(token, addresses, 3n);
    await token.call('pause', true);
    expect(await sweep(token.address, destination, payments)).toMatchObject({ failed: payments });
    expect(await token.balanceOf(addresses[0]!)).toBe(3n);
    await token.call('pause', false);
    expect(await sweep(token.address, destination, payments)).toMatchObject({ failed: [] });
    expect(await token.balanceOf(destination)).toBe(6n);
  });

  test.each(['HonestFeeToken', 'LyingFeeToken'] as const)(
    'that keeps a fee leaves nothing behind: %s',
    async (kind) => {
      const token = await deployOddToken(chain, kind, { asset: 'fee' });
      const { destination, payments, addresses } = openPayments(1);
      await token.mint(addresses[0]!, 1_000n);
      expect(await sweep(token.address, destination, payments)).toMatchObject({
        succeeded: true,
        failed: [],
      });
      expect(await token.balanceOf(addresses[0]!)).toBe(0n);
      expect(await token.balanceOf(destination)).toBe(990n);
    },
  );

  test('that calls back in the middle of a transfer moves nothing twice and nothing elsewhere', async () => {
    const { destination, payments, addresses } = openPayments(3);
    const [first, second] = payments as [string, string];
    await pay(usdc, addresses, 3n);
    const flush = flushCall(usdc.address, stranger, 3n);
    const callsBack: [Hex, (token: Hex) => Hex][] = [
      [factoryAddress, (token) => sweepCall(token, destination, payments)],
      [factoryAddress, (token) => sweepOneCall(token, destination, first)],
      [factoryAddress, (token) => sweepCall(token, stranger, [first, second])],
      [addresses[0]!, () => flush],
      [await implementation(), () => flush],
    ];
    for (const [target, data] of callsBack) {
      const token = await deployOddToken(chain, 'ReentrantToken', { asset: 'reentrant' });
      await pay(token, addresses, 3n);
      await token.call('callBack', target, data(token.address));
      await sweep(token.address, destination, payments);
      expect(await token.balanceOf(stranger)).toBe(0n);
      // Where the call back took the money from under the sweep, both were undone.
      await token.call('callBack', nativeCoin, '0x');
      await sweep(token.address, destination, payments);
      expect(await token.balanceOf(destination)).toBe(9n);
      expect(await usdc.balanceOf(addresses[0]!)).toBe(3n);
    }
  });
});

describe('the native coin', () => {
  test('is moved like a token', async () => {
    const { destination, payments, addresses } = openPayments(2);
    for (const to of addresses) await give(to, 5n);
    expect(await sweep(nativeCoin, destination, payments)).toMatchObject({ succeeded: true, failed: [] });
    expect(await balance(destination)).toBe(10n);
  });

  test('that the destination refuses stays where it is', async () => {
    const { OddDestination } = await compiled('test/Destinations.sol');
    const { address, call } = await contract(OddDestination!);
    const { payments, addresses } = openPayments(2, address);
    for (const to of addresses) await give(to, 5n);
    await call('refuse', true);
    expect(await sweep(nativeCoin, address, payments)).toMatchObject({ succeeded: true, failed: payments });
    expect(await balance(addresses[0]!)).toBe(5n);
    await call('refuse', false);
    expect(await sweep(nativeCoin, address, payments)).toMatchObject({ succeeded: true, failed: [] });
    expect(await balance(address)).toBe(10n);
  });

  test('is moved once by a destination that sweeps again while it takes it', async () => {
    const { OddDestination } = await compiled('test/Destinations.sol');
    const { address, call } = await contract(OddDestination!);
    const { payments, addresses } = openPayments(3, address);
    for (const to of addresses) await give(to, 5n);
    await call('callBack', factoryAddress, sweepCall(nativeCoin, address, payments));
    expect(await sweep(nativeCoin, address, payments)).toMatchObject({ succeeded: true });
    await sweep(nativeCoin, address, payments);
    expect(await balance(address)).toBe(15n);
  });

  test('is taken by a deployed address even from a contract that sends 2,300 gas along', async () => {
    const { StipendPayer } = await compiled('test/Destinations.sol');
    const { address, call } = await contract(StipendPayer!);
    const { destination, payments, addresses } = openPayments(1);
    await pay(usdc, [addresses[0]!], 1n);
    await sweep(usdc.address, destination, payments);
    await give(address, 5n);
    expect(await call('pay', addresses[0], 5n)).toMatchObject({ succeeded: true });
    expect(await balance(addresses[0]!)).toBe(5n);
  });
});
