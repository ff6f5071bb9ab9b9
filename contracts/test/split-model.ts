import fc from 'fast-check';
import { forwarderAddress } from '../../gateway/src/rails/evm/addresses/forwarders.ts';
import { type Split, splitterAddress } from '../../gateway/src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../../gateway/src/rails/evm/config/chains.ts';
import { accounts } from '../../gateway/test/chain/chain.ts';
import { type Asset, type Model, modelSweep, move, refuses, unitsOf } from './model.ts';
import { partsOf } from './splitting.ts';

/** One thing that somebody does to splitters. */
export type SplitStep =
  | { do: 'deposit'; asset: Asset; split: Split; payment: string | null; units: bigint }
  | { do: 'settle'; from: Hex; gas: bigint; split: Split; assets: Asset[]; payments: string[] }
  | { do: 'release'; from: Hex; gas: bigint; split: Split; assets: Asset[] }
  | { do: 'release one'; from: Hex; split: Split; asset: Asset }
  | { do: 'collect'; from: Hex; split: Split; asset: Asset }
  | { do: 'steal'; from: Hex; split: Split; asset: Asset; payment: string }
  | { do: 'pause'; isPaused: boolean }
  | { do: 'answer'; refusal: Hex | null }
  | { do: 'bar'; owner: Hex; isBarred: boolean }
  | { do: 'burn'; owner: Hex }
  | { do: 'refuse'; isRefused: boolean };

/** More than any step here needs. */
export const splitGas = 29_000_000n;

/** The same payments under every splitter. */
export const splitPayments = [1, 2, 3].map((n) => `01980000-0000-7000-8000-00000000000${n}`);

export type Release = 'Released' | 'ReleaseFailed';

/**
 * Divides what a splitter holds; null: nothing. What waits for a side counts as the side's, so a side that cannot be
 * paid changes nothing here.
 */
export function modelRelease(model: Model, asset: Asset, split: Split): Release | null {
  const splitter = splitterAddress(split);
  const units = unitsOf(model, asset, splitter);
  if (units === 0n) return null;
  if (refuses(model, asset, splitter, nowhere)) return 'ReleaseFailed';
  const parts = partsOf(units, split);
  move(model, asset, { from: splitter, to: split.host, units: parts.host });
  move(model, asset, { from: splitter, to: split.merchant, units: parts.merchant });
  return 'Released';
}
const nowhere: Hex = '0x';

/** Releases in order; what the events must be called. */
export function modelReleases(model: Model, assets: readonly Asset[], split: Split): Release[] {
  return assets.map((asset) => modelRelease(model, asset, split)).filter((each) => each !== null);
}

/** Sweeps all, then releases all: the payments that could not be swept, and the events of the releases. */
export function modelSettle(model: Model, { assets, split, payments }: Extract<SplitStep, { do: 'settle' }>) {
  const destination = splitterAddress(split);
  const failed = assets.flatMap((asset) => modelSweep(model, { asset, destination, payments }));
  return { failed, releases: modelReleases(model, assets, split) };
}

/** Random lives, each with a few of the assets only, so that its steps meet each other. */
export function splitLifeOf(assets: readonly Asset[], splits: readonly Split[]): fc.Arbitrary<SplitStep[]> {
  return fc
    .subarray([...assets], { minLength: 2, maxLength: 3 })
    .chain((few) => fc.array(stepOf(few, splits), { minLength: 10, maxLength: 30 }));
}

function stepOf(few: readonly Asset[], splits: readonly Split[]): fc.Arbitrary<SplitStep> {
  const asset = fc.constantFrom(...few);
  const split = fc.constantFrom(...splits);
  const payment = fc.constantFrom(...splitPayments);
  const from = fc.constantFrom(...Object.values(accounts).map((account) => account.address));
  const units = fc.oneof(fc.bigInt({ min: 1n, max: 20_000n }), fc.bigInt({ min: 1n, max: 10n ** 20n }));
  const gas = fc.oneof(
    { weight: 3, arbitrary: fc.constant(splitGas) },
    { weight: 1, arbitrary: fc.bigInt({ min: 60_000n, max: 6_000_000n }) },
  );
  const many = fc.array(asset, { maxLength: 2 });
  const payments = fc.array(payment, { maxLength: 4 });
  const splitters = splits.map(splitterAddress);
  const deposits = splitters.flatMap((each) => splitPayments.map((id) => forwarderAddress(each, id)));
  const sides = splits.flatMap(({ merchant, host }) => [merchant, host]);
  const owner = fc.oneof(...[sides, splitters, deposits].map((each) => fc.constantFrom(...each)));
  const does = <T extends SplitStep['do']>(name: T) => fc.constant(name);
  const refusal = fc.constantFrom<Hex | null>(null, `0x${'0'.repeat(64)}`, '0x01');
  /** What changes the mind of one asset, where it takes part. */
  const turns: [Asset, fc.Arbitrary<SplitStep>][] = [
    ['native', fc.record({ do: does('refuse'), isRefused: fc.boolean() })],
    ['PausableToken', fc.record({ do: does('pause'), isPaused: fc.boolean() })],
    ['AnsweringToken', fc.record({ do: does('answer'), refusal })],
    ['BlacklistingToken', fc.record({ do: does('bar'), owner, isBarred: fc.boolean() })],
    ['BurningToken', fc.record({ do: does('burn'), owner })],
  ];
  const into = fc.option(payment, { freq: 4 });
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: does('deposit'), asset, split, payment: into, units }) },
    { weight: 4, arbitrary: fc.record({ do: does('settle'), from, gas, split, assets: many, payments }) },
    { weight: 2, arbitrary: fc.record({ do: does('release'), from, gas, split, assets: many }) },
    { weight: 1, arbitrary: fc.record({ do: does('release one'), from, split, asset }) },
    { weight: 1, arbitrary: fc.record({ do: does('collect'), from, split, asset }) },
    { weight: 2, arbitrary: fc.record({ do: does('steal'), from, split, asset, payment }) },
    ...turns.filter(([kind]) => few.includes(kind)).map(([, arbitrary]) => ({ weight: 2, arbitrary })),
  );
}
