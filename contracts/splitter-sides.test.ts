import { describe, expect, test } from 'vitest';
import { factoryAddress } from '../gateway/src/rails/evm/addresses/forwarders.ts';
import {
  type Split,
  splitterAddress,
  splitterFactoryAddress,
} from '../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import { callers, callOf, freshAddress, nativeCoin, stranger } from './test/fixtures.ts';
import {
  namesOf,
  payCall,
  releaseCall,
  releaseOneCall,
  settleCall,
  splitters,
  sweepWordsCall,
  wordOf,
} from './test/splitting.ts';

// Tokens and sides that refuse, keep fees, burn gas and call back: a side that cannot be paid never costs the other.

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20']!;
const { send, pay, give, balance, contract } = callers(chain);
const { release, releaseOne, settle, waitingAddress } = await splitters(chain);
const { OddDestination, GivingDestination } = await compiled('test/Destinations.sol');

const newSplit = (changes: Partial<Split> = {}): Split => ({
  merchant: freshAddress(),
  host: freshAddress(),
  basisPoints: 250,
  ...changes,
});
const parts = { merchant: 975n, host: 25n };

/** Moves what waits for a side to it, as anybody may. */
const collect = (token: Hex, side: Hex, split: Split) =>
  send(factoryAddress, sweepWordsCall(token, side, [wordOf(splitterAddress(split))]));

describe('a side that the token bars', () => {
  test.each([
    ['host', 'merchant'],
    ['merchant', 'host'],
  ] as const)('%s: its part waits, counted once, and the %s is paid', async (barred, other) => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'barring' });
    const split = newSplit();
    const waiting = await waitingAddress(split[barred], split);
    await token.call('bar', split[barred], true);
    for (const round of [1n, 2n]) {
      await token.mint(splitterAddress(split), 1_000n);
      expect(namesOf(await release(split, [token.address]))).toEqual(['PartWaits', 'Released']);
      expect(await token.balanceOf(split[other])).toBe(round * parts[other]);
      expect(await token.balanceOf(waiting)).toBe(round * parts[barred]);
      expect(namesOf(await release(split, [token.address]))).toEqual([]);
    }
    await collect(token.address, stranger, split);
    await collect(token.address, split[barred], split);
    expect(await token.balanceOf(split[barred])).toBe(0n);
    await token.call('bar', split[barred], false);
    await collect(token.address, split[barred], split);
    expect(await token.balanceOf(split[barred])).toBe(2n * parts[barred]);
    expect(await token.balanceOf(stranger)).toBe(0n);
  });

  test('both: both wait, each for itself', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'barring' });
    const split = newSplit();
    for (const side of [split.host, split.merchant]) await token.call('bar', side, true);
    await token.mint(splitterAddress(split), 1_000n);
    expect(namesOf(await release(split, [token.address]))).toEqual(['PartWaits', 'PartWaits', 'Released']);
    for (const side of ['host', 'merchant'] as const) {
      expect(await token.balanceOf(await waitingAddress(split[side], split))).toBe(parts[side]);
    }
  });

  test('the host of 0 points: nothing is tried for it, and nothing waits', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'barring' });
    const split = newSplit({ basisPoints: 0 });
    await token.call('bar', split.host, true);
    await token.mint(splitterAddress(split), 1_000n);
    expect(namesOf(await release(split, [token.address]))).toEqual(['Released']);
    expect(await token.balanceOf(split.merchant)).toBe(1_000n);
  });

  test('the splitter itself: all of it stays until it is freed', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'barring' });
    const split = newSplit();
    await token.mint(splitterAddress(split), 1_000n);
    await token.call('bar', splitterAddress(split), true);
    expect(namesOf(await release(split, [token.address]))).toEqual(['ReleaseFailed']);
    await token.call('bar', splitterAddress(split), false);
    expect(namesOf(await release(split, [token.address]))).toEqual(['Released']);
    expect(await token.balanceOf(split.merchant)).toBe(parts.merchant);
  });
});

describe('a token', () => {
  test('that answers nothing is divided', async () => {
    const token = await deployOddToken(chain, 'SilentToken', { asset: 'silent' });
    const split = newSplit();
    await token.mint(splitterAddress(split), 1_000n);
    expect(namesOf(await release(split, [token.address]))).toEqual(['Released']);
    expect(await token.balanceOf(split.host)).toBe(parts.host);
  });

  test.each([
    ['false', `0x${'0'.repeat(64)}`],
    ['a 2', `0x${'2'.padStart(64, '0')}`],
    ['too few bytes', '0x01'],
    ['true, and moves nothing', `0x${'1'.padStart(64, '0')}`],
  ])('that answers %s keeps all of it, and is divided when it pays', async (_, answer) => {
    const token = await deployOddToken(chain, 'AnsweringToken', { asset: 'answering' });
    const split = newSplit();
    await token.mint(splitterAddress(split), 1_000n);
    await token.call('refuseWith', answer);
    expect(namesOf(await release(split, [token.address]))).toEqual(['ReleaseFailed']);
    expect(await token.balanceOf(splitterAddress(split))).toBe(1_000n);
    await token.call('accept');
    expect(namesOf(await release(split, [token.address]))).toEqual(['Released']);
    expect(await token.balanceOf(split.host)).toBe(parts.host);
  });

  test.each(['HonestFeeToken', 'LyingFeeToken'] as const)(
    'that keeps a fee takes it of both parts, and leaves nothing behind: %s',
    async (kind) => {
      const token = await deployOddToken(chain, kind, { asset: 'fee' });
      const split = newSplit();
      await token.mint(splitterAddress(split), 100_000n);
      expect(namesOf(await release(split, [token.address]))).toEqual(['Released']);
      expect(await token.balanceOf(split.merchant)).toBe(96_525n);
      expect(await token.balanceOf(split.host)).toBe(2_475n);
      expect(await token.balanceOf(splitterAddress(split))).toBe(0n);
    },
  );

  test.each([
    ['at once', false],
    ['by an endless answer', true],
  ])(
    'that burns all gas %s for both sides lets both wait, and the next token goes on',
    async (_, isEndless) => {
      const token = await deployOddToken(chain, 'BurningToken', { asset: 'burning' });
      const split = newSplit();
      for (const each of [token, usdc]) await each.mint(splitterAddress(split), 1_000n);
      for (const side of [split.merchant, split.host]) await token.call('burnFor', side, isEndless);
      const outcome = await release(split, [token.address, usdc.address]);
      expect(namesOf(outcome)).toEqual(['PartWaits', 'PartWaits', 'Released', 'Released']);
      expect(outcome.gasUsed).toBeLessThan(3_000_000n);
      expect(await usdc.balanceOf(split.merchant)).toBe(parts.merchant);
    },
  );

  test('that burns all gas for the splitter fails within its bound, and the next one goes on', async () => {
    const token = await deployOddToken(chain, 'BurningToken', { asset: 'burning' });
    const split = newSplit();
    for (const each of [token, usdc]) await each.mint(splitterAddress(split), 1_000n);
    await token.call('burnFor', splitterAddress(split), false);
    const outcome = await release(split, [token.address, usdc.address]);
    expect(namesOf(outcome)).toEqual(['ReleaseFailed', 'Released']);
    expect(outcome.gasUsed).toBeLessThan(5_200_000n);
  });

  test('that burns all gas when it is asked for a balance fails within its bound too', async () => {
    const { EndlessWallet } = await compiled('test/Wallets.sol');
    const endless = await contract(EndlessWallet!);
    const split = newSplit();
    await usdc.mint(splitterAddress(split), 1_000n);
    const outcome = await release(split, [endless.address, usdc.address], { gas: 8_000_000n });
    expect(namesOf(outcome)).toEqual(['ReleaseFailed', 'Released']);
  });

  test('that calls back in the middle of a transfer divides nothing twice and nothing elsewhere', async () => {
    const split = newSplit();
    const splitter = splitterAddress(split);
    const mine = { ...split, merchant: stranger };
    const payments = [wordOf('0x01'), wordOf('0x02')];
    const callsBack: [Hex, (token: Hex) => Hex][] = [
      [splitterFactoryAddress, (token) => releaseCall(split, [token])],
      [splitterFactoryAddress, (token) => releaseOneCall(split, token)],
      [splitterFactoryAddress, (token) => settleCall(split, [token], payments)],
      [splitterFactoryAddress, (token) => settleCall(mine, [token], payments)],
      [splitter, () => payCall(usdc.address, stranger, 3n)],
      [factoryAddress, (token) => sweepWordsCall(token, splitter, payments)],
    ];
    await pay(usdc, [splitter], 1_000n);
    for (const [target, data] of callsBack) {
      const token = await deployOddToken(chain, 'ReentrantToken', { asset: 'reentrant' });
      const addresses = await Promise.all(payments.map((payment) => depositAddress(splitter, payment)));
      await pay(token, [splitter, ...addresses], 1_000n);
      await token.call('callBack', target, data(token.address));
      await settle(split, [token.address], payments);
      // Where the call back took the money from under the release, both were undone.
      await token.call('callBack', nativeCoin, '0x');
      await settle(split, [token.address], payments);
      expect(await token.balanceOf(split.host)).toBe(75n);
      expect(await token.balanceOf(split.merchant)).toBe(2_925n);
      expect(await token.balanceOf(stranger)).toBe(0n);
    }
    expect(await usdc.balanceOf(splitter)).toBe(1_000n);
  });
});

describe('the native coin', () => {
  test.each(['host', 'merchant'] as const)(
    'that the %s refuses waits, and the other is paid',
    async (side) => {
      const odd = await contract(OddDestination!);
      const split = newSplit({ [side]: odd.address });
      const other = side === 'host' ? 'merchant' : 'host';
      await odd.call('refuse', true);
      await give(splitterAddress(split), 1_000n);
      expect(namesOf(await release(split, [nativeCoin]))).toEqual(['PartWaits', 'Released']);
      expect(await balance(split[other])).toBe(parts[other]);
      await odd.call('refuse', false);
      await collect(nativeCoin, odd.address, split);
      expect(await balance(odd.address)).toBe(parts[side]);
    },
  );

  test.each(['host', 'merchant'] as const)(
    'is divided once, whatever the %s calls while it is paid',
    async (side) => {
      const payments = [wordOf('0x01'), wordOf('0x02')];
      const calls: [Hex, (split: Split) => Hex][] = [
        [splitterFactoryAddress, (split) => releaseCall(split, [nativeCoin])],
        [splitterFactoryAddress, (split) => releaseOneCall(split, nativeCoin)],
        [splitterFactoryAddress, (split) => settleCall(split, [nativeCoin], payments)],
        [factoryAddress, (split) => sweepWordsCall(nativeCoin, splitterAddress(split), payments)],
      ];
      for (const [target, data] of calls) {
        const odd = await contract(OddDestination!);
        const split = newSplit({ [side]: odd.address });
        const splitter = splitterAddress(split);
        await odd.call('callBack', target, data(split));
        for (const payment of payments) await give(await depositAddress(splitter, payment), 1_000n);
        await give(splitter, 1_000n);
        expect(namesOf(await release(split, [nativeCoin]))).toContain('Released');
        await odd.call('callBack', nativeCoin, '0x');
        await settle(split, [nativeCoin], payments);
        for (const each of [split.host, split.merchant]) await collect(nativeCoin, each, split);
        expect(await balance(split.host)).toBe(75n);
        expect(await balance(split.merchant)).toBe(2_925n);
      }
    },
  );

  test.each(['host', 'merchant'] as const)('that the %s gives back in part never blocks', async (side) => {
    const giving = await contract(GivingDestination!);
    const split = newSplit({ [side]: giving.address });
    await give(splitterAddress(split), 1_000n);
    expect(namesOf(await release(split, [nativeCoin]))).toEqual(['PartWaits', 'Released']);
    expect(await balance(await waitingAddress(giving.address, split))).toBe(parts[side]);
    expect(await releaseOne(split, nativeCoin)).toMatchObject({ succeeded: true, logs: [] });
  });
});

/** The address of a payment that is a word, under a splitter. */
async function depositAddress(splitter: Hex, payment: Hex): Promise<Hex> {
  const { ForwarderFactory } = await compiled('ForwarderFactory.sol');
  const data = callOf(ForwarderFactory!.abi, 'addressOf', splitter, payment);
  const { data: answer } = await chain.client.call({ to: factoryAddress, data });
  return `0x${answer!.slice(-40)}`;
}
