import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  factoryAddress,
  forwarderAddress,
  ownerWord,
} from '../gateway/src/rails/evm/addresses/forwarders.ts';
import {
  type Split,
  splitterAddress,
  splitterFactoryAddress,
} from '../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import { readBalances } from './test/balances.ts';
import { callers, callOf, nativeCoin, type Outcome, oddAbi } from './test/fixtures.ts';
import { playLives } from './test/play-lives.ts';
import { splitGas, splitPayments } from './test/split-model.ts';
import {
  eventsOf,
  partsOf,
  releaseCall,
  settleCall,
  splitters,
  sweepWordsCall,
  wordOf,
} from './test/splitting.ts';

// Sides and a token that call anything in the middle of a payment, in random lives. How far their calls come depends on
// the gas that is left for them, so there is no model of each call. What must hold all the same: whatever was released
// was divided exactly, each side has the sum of its parts, only the token's own releases can fail, and no unit is lost.

const runs = process.env.SOAK ? 1_000 : 15;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

const chain = await startChain({ assets: {} });
const { send, give, contract } = callers(chain);
const { release, settle, waitingAddress } = await splitters(chain);
const { OddDestination } = await compiled('test/Destinations.sol');
const [oddMerchant, oddHost] = [await contract(OddDestination!), await contract(OddDestination!)];
const reentrant = (await deployOddToken(chain, 'ReentrantToken', { asset: 'reentrant' })).address;
const plain = (await deployOddToken(chain, 'PlainToken', { asset: 'plain' })).address;
const tokens = [nativeCoin, plain, reentrant];

const host: Hex = `0x${'d3'.repeat(20)}`;
const splits: readonly Split[] = [
  { merchant: oddMerchant.address, host: oddHost.address, basisPoints: 3_333 },
  { merchant: oddMerchant.address, host, basisPoints: 250 },
  { merchant: oddMerchant.address, host: oddMerchant.address, basisPoints: 5_000 },
];
const words = splitPayments.map(ownerWord);
const addressOfPayment = (split: Split, payment: string | null): Hex =>
  payment === null ? splitterAddress(split) : forwarderAddress(splitterAddress(split), payment);

type Call = { to: Hex; data: Hex };
type Step =
  | { do: 'deposit'; token: Hex; to: Hex; units: bigint }
  | { do: 'settle' | 'release'; split: Split; tokens: Hex[] }
  | { do: 'call back'; by: Hex; call: Call };

/** Random lives, each of one splitter or two and one token or two, so that its steps meet each other. */
const lives: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.subarray([...splits], { minLength: 1, maxLength: 2 }),
    fc.subarray(tokens, { minLength: 1, maxLength: 2 }),
  )
  .chain(([few, fewTokens]) => fc.array(stepOf(few, fewTokens), { minLength: 10, maxLength: 30 }));

function stepOf(few: readonly Split[], fewTokens: readonly Hex[]): fc.Arbitrary<Step> {
  const split = fc.constantFrom(...few);
  const token = fc.constantFrom(...fewTokens);
  const list = fc.array(token, { minLength: 1, maxLength: 2 });
  const payment = fc.option(fc.constantFrom(...splitPayments));
  const units = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const deposit = fc.tuple(token, split, payment, units).map(([of, under, into, amount]) => ({
    do: 'deposit' as const,
    token: of,
    to: addressOfPayment(under, into),
    units: amount,
  }));
  const divide = fc.record({
    do: fc.constantFrom('settle' as const, 'release' as const),
    split,
    tokens: list,
  });
  const calls = fc
    .tuple(split, list)
    .chain(([of, some]) =>
      fc.constantFrom<Call>(
        { to: splitterFactoryAddress, data: releaseCall(of, some) },
        { to: splitterFactoryAddress, data: settleCall(of, some, words) },
        { to: factoryAddress, data: sweepWordsCall(some[0]!, splitterAddress(of), words) },
      ),
    );
  const callBack = fc.record({
    do: fc.constant('call back' as const),
    by: fc.constantFrom(reentrant, oddMerchant.address, oddHost.address),
    call: calls,
  });
  return fc.oneof(
    { weight: 4, arbitrary: deposit },
    { weight: 3, arbitrary: divide },
    { weight: 3, arbitrary: callBack },
  );
}

/** What was deposited of each token, and what each side got of it, by the events. */
type Books = { deposited: Map<Hex, bigint>; parts: Map<string, bigint> };

function add<K>(sums: Map<K, bigint>, key: K, units: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + units);
}

function book(books: Books, outcome: Outcome): void {
  expect(outcome.succeeded).toBe(true);
  for (const { name, args } of eventsOf(outcome)) {
    const asset = String(args.token).toLowerCase();
    // A token that calls back may only be in its own way.
    if (name === 'ReleaseFailed') expect(asset).toBe(reentrant);
    if (name !== 'Released') continue;
    const of = splits.find((each) => splitterAddress(each) === String(args.splitter).toLowerCase())!;
    const [toMerchant, toHost] = [args.toMerchant as bigint, args.toHost as bigint];
    expect({ merchant: toMerchant, host: toHost }).toEqual(partsOf(toMerchant + toHost, of));
    add(books.parts, `${asset} ${of.merchant}`, toMerchant);
    add(books.parts, `${asset} ${of.host}`, toHost);
  }
}

const armed = (by: Hex, { to, data }: Call) => send(by, callOf(oddAbi, 'callBack', to, data));

async function play(books: Books, each: Step): Promise<void> {
  switch (each.do) {
    case 'deposit':
      add(books.deposited, each.token, each.units);
      if (each.token === nativeCoin) await give(each.to, each.units);
      else await send(each.token, callOf(oddAbi, 'mint', each.to, each.units));
      return;
    case 'settle':
      return book(books, await settle(each.split, each.tokens, words, { gas: splitGas }));
    case 'release':
      return book(books, await release(each.split, each.tokens, { gas: splitGas }));
    case 'call back':
      await armed(each.by, each.call);
  }
}

/** Nobody calls back any more: all is settled, and what waits is moved on. */
async function finish(books: Books): Promise<void> {
  for (const by of [reentrant, oddMerchant.address, oddHost.address]) {
    await armed(by, { to: nativeCoin, data: '0x' });
  }
  for (const of of splits) {
    book(books, await settle(of, tokens, words, { gas: splitGas }));
    for (const one of tokens) {
      for (const side of [of.merchant, of.host]) {
        const data = sweepWordsCall(one, side, [wordOf(splitterAddress(of))]);
        expect(await send(factoryAddress, data)).toMatchObject({ succeeded: true, failed: [] });
      }
    }
  }
}

const sides = [...new Set(splits.flatMap(({ merchant, host: other }) => [merchant, other]))];
const between: Hex[] = [];
for (const of of splits) {
  for (const payment of [null, ...splitPayments]) between.push(addressOfPayment(of, payment));
  for (const side of [of.merchant, of.host]) between.push(await waitingAddress(side, of));
}

test(
  'whatever sides and a token call while they are paid, everything is divided exactly and nothing is left',
  async () => {
    await playLives(chain, {
      lives: lives,
      runs,
      play: async (life) => {
        const books: Books = { deposited: new Map(), parts: new Map() };
        for (const each of life) await play(books, each);
        await finish(books);
        const asked = tokens.flatMap((one) => [
          ...sides.map((owner) => ({ key: `${one} ${owner}`, token: one, owner })),
          ...between.map((owner) => ({ key: `${one} left`, token: one, owner })),
        ]);
        const found = await readBalances(chain.rpcUrl, asked);
        for (const one of tokens) {
          expect(found[`${one} left`]).toBe(0n);
          const got = sides.map((side) => found[`${one} ${side}`]!);
          expect(got).toEqual(sides.map((side) => books.parts.get(`${one} ${side}`) ?? 0n));
          expect(got.reduce((sum, units) => sum + units, 0n)).toBe(books.deposited.get(one) ?? 0n);
        }
      },
    });
  },
  timeoutMs,
);
