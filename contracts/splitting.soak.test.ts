import { expect, test } from 'vitest';
import {
  factoryAddress,
  forwarderAddress,
  ownerWord,
} from '../gateway/src/rails/evm/addresses/forwarders.ts';
import { type Split, splitterAddress } from '../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../gateway/src/rails/evm/config/chains.ts';
import { startChain } from '../gateway/test/chain/chain.ts';
import { deployOddToken, type OddToken } from '../gateway/test/chain/test-tokens.ts';
import { compiled } from '../scripts/contracts.ts';
import { readBalances } from './test/balances.ts';
import { callers, callOf, flushCall, nativeCoin, type Outcome, oddAbi } from './test/fixtures.ts';
import { type Asset, credit, expectedAt, type Model, newModel, unitsOf } from './test/model.ts';
import { playLives } from './test/play-lives.ts';
import {
  modelReleases,
  modelSettle,
  type SplitStep,
  splitGas,
  splitLifeOf,
  splitPayments,
} from './test/split-model.ts';
import { namesOf, payCall, splitters, sweepWordsCall, wordOf } from './test/splitting.ts';

// Random deposits, settlements and releases by anybody, of tokens that refuse, keep fees, burn gas and bar one side,
// to sides that refuse, with thieves in between. After each call the failures are those of the model, and in the end
// every unit is where the model has it: what waits for a side counts as that side's.

const runs = process.env.SOAK ? 2_000 : 15;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

const chain = await startChain({ assets: {} });
const { send, give, contract } = callers(chain);
const { release, releaseOne, settle, waitingAddress } = await splitters(chain);

const kinds = [
  'PlainToken',
  'SilentToken',
  'AnsweringToken',
  'PausableToken',
  'BlacklistingToken',
  'HonestFeeToken',
  'LyingFeeToken',
  'BurningToken',
  'HeavyToken',
] as const;
const assets: readonly Asset[] = ['native', ...kinds];
const tokens = new Map<Asset, OddToken>();
for (const kind of kinds) tokens.set(kind, await deployOddToken(chain, kind, { asset: kind }));
const tokenOf = (asset: Asset): Hex => tokens.get(asset)?.address ?? nativeCoin;

const { OddDestination } = await compiled('test/Destinations.sol');
const odd = await contract(OddDestination!);
const [merchant, host]: Hex[] = [`0x${'d1'.repeat(20)}`, `0x${'d3'.repeat(20)}`];
const splits: readonly Split[] = [
  { merchant: merchant!, host: host!, basisPoints: 250 },
  { merchant: merchant!, host: host!, basisPoints: 1 },
  { merchant: odd.address, host: host!, basisPoints: 9_999 },
  { merchant: merchant!, host: odd.address, basisPoints: 333 },
];
/** Where thieves want the money to go. */
const loot: Hex = `0x${'d2'.repeat(20)}`;

/** Every address that may hold something, and whose it counts as. */
const holders = new Map<Hex, Hex>([[loot, loot]]);
for (const split of splits) {
  const splitter = splitterAddress(split);
  holders.set(splitter, splitter);
  for (const payment of splitPayments) {
    const address = forwarderAddress(splitter, payment);
    holders.set(address, address);
  }
  for (const side of [split.merchant, split.host]) {
    holders.set(side, side);
    holders.set(await waitingAddress(side, split), side);
  }
}

/** Calls what only a token of this kind has. */
async function call(kind: Asset, name: string, ...args: unknown[]): Promise<void> {
  expect(await send(tokenOf(kind), callOf(oddAbi, name, ...args))).toMatchObject({ succeeded: true });
}

/** What the factory told of releases, in order. */
const releasesOf = (outcome: Outcome): string[] => namesOf(outcome).filter((name) => name !== 'PartWaits');

async function play(model: Model, each: SplitStep): Promise<void> {
  switch (each.do) {
    case 'deposit': {
      const splitter = splitterAddress(each.split);
      const to = each.payment === null ? splitter : forwarderAddress(splitter, each.payment);
      if (each.asset === 'native') await give(to, each.units);
      else await call(each.asset, 'mint', to, each.units);
      return credit(model, each.asset, to, each.units);
    }
    case 'settle': {
      const { split, payments, from, gas } = each;
      const addresses = each.assets.map(tokenOf);
      const outcome = await settle(split, addresses, payments.map(ownerWord), { from, gas });
      if (isTooLittle(outcome, gas)) return;
      const { failed, releases } = modelSettle(model, each);
      expect(outcome).toMatchObject({ succeeded: true, failed });
      return expect(releasesOf(outcome)).toEqual(releases);
    }
    case 'release': {
      const { split, from, gas } = each;
      const outcome = await release(split, each.assets.map(tokenOf), { from, gas });
      if (isTooLittle(outcome, gas)) return;
      expect(outcome.succeeded).toBe(true);
      return expect(releasesOf(outcome)).toEqual(modelReleases(model, each.assets, split));
    }
    case 'release one': {
      const { split, asset, from } = each;
      const { succeeded } = await releaseOne(split, tokenOf(asset), { from });
      return expect(succeeded).toBe(!modelReleases(model, [asset], split).includes('ReleaseFailed'));
    }
    case 'collect': {
      // Whether it can be moved or not, it is the side's already.
      const { split, asset, from } = each;
      for (const side of [split.merchant, split.host]) {
        const data = sweepWordsCall(tokenOf(asset), side, [wordOf(splitterAddress(split))]);
        expect(await send(factoryAddress, data, { from })).toMatchObject({ succeeded: true });
      }
      return;
    }
    case 'steal':
      return await steal(model, each);
    default:
      await turn(model, each);
  }
}

/** With too little gas nothing at all happened. */
function isTooLittle({ succeeded, logs }: Outcome, gas: bigint): boolean {
  if (succeeded || gas === splitGas) return false;
  expect(logs).toEqual([]);
  return true;
}

/** What anybody may try: to take from a splitter or what waits, and to settle payments under a split of their own. */
async function steal(model: Model, each: Extract<SplitStep, { do: 'steal' }>): Promise<void> {
  const { from, asset, split, payment } = each;
  const token = tokenOf(asset);
  const splitter = splitterAddress(split);
  await send(splitter, payCall(token, loot, unitsOf(model, asset, splitter)), { from });
  for (const side of [split.merchant, split.host]) {
    await send(await waitingAddress(side, split), flushCall(token, loot, 1n), { from });
  }
  const words = [ownerWord(payment), wordOf(splitter)];
  await send(factoryAddress, sweepWordsCall(token, loot, words), { from });
  for (const mine of [
    { ...split, merchant: loot },
    { ...split, host: loot },
    { ...split, basisPoints: 5_000 },
  ]) {
    expect(await settle(mine, [token], words, { from })).toMatchObject({ succeeded: true, logs: [] });
  }
}

/** Changes who refuses what. */
async function turn(
  model: Model,
  each: Extract<SplitStep, { do: 'pause' | 'answer' | 'bar' | 'burn' | 'refuse' }>,
): Promise<void> {
  switch (each.do) {
    case 'pause':
      model.isPaused = each.isPaused;
      return await call('PausableToken', 'pause', each.isPaused);
    case 'answer':
      model.answersFalse = each.refusal !== null;
      if (each.refusal !== null) return await call('AnsweringToken', 'refuseWith', each.refusal);
      return await call('AnsweringToken', 'accept');
    case 'bar':
      model.barred[each.isBarred ? 'add' : 'delete'](each.owner);
      return await call('BlacklistingToken', 'bar', each.owner, each.isBarred);
    case 'burn':
      model.burning.add(each.owner);
      return await call('BurningToken', 'burnFor', each.owner, false);
    case 'refuse':
      await odd.call('refuse', each.isRefused);
  }
}

/** Reads every balance at once, by `asset owner`. */
async function balances(): Promise<Record<string, bigint>> {
  const asked = assets.flatMap((asset) => {
    const token = tokenOf(asset);
    const all = [...holders].map(([owner, whose]) => ({ key: `${asset} ${whose}`, token, owner }));
    return asset === 'native' ? all : [...all, { key: `${asset} ${asset}`, token, owner: token }];
  });
  return await readBalances(chain.rpcUrl, asked);
}

test(
  'nobody redirects a part, takes one twice or holds up another, and no unit is lost',
  async () => {
    await playLives(chain, {
      lives: splitLifeOf(assets, splits),
      runs,
      play: async (life) => {
        const model = newModel();
        for (const each of life) await play(model, each);
        const found = await balances();
        expect(found).toEqual(expectedAt(Object.keys(found), model));
      },
    });
  },
  timeoutMs,
);
