import { after } from '../../../kit/clock.ts';
import { unitsOfDecimal } from '../../../money/money.ts';
import type { ChainConfig } from '../config/chains.ts';
import type { Deposit, LeastUnits } from './due.ts';

/** The gas that moving one deposit costs, rounded; docs/contracts.md has the measurements. */
export const gasOfDeposit = 50_000n;

/** One transaction moves at most this many deposits: about two million units of gas. */
export const batchSize = 40;

/** A deposit of unknown worth is swept once it has waited this long. */
const patienceSeconds = 24 * 3600;

const usdScale = 18;
const one = 10n ** BigInt(usdScale);

/** USD with 18 decimals. */
type Usd = bigint;

/** The worth of some units of an asset of `scale` decimals, at USD for one of it; null: not known. */
export function usdOfUnits(units: bigint, scale: number, rate: string | null): Usd | null {
  const each = rate === null ? null : unitsOfDecimal(rate, usdScale);
  return each === null ? null : (units * each) / 10n ** BigInt(scale);
}

/** Wei as USD. */
export function usdOfWei(wei: bigint, nativeUsd: string | null): Usd | null {
  return usdOfUnits(wei, usdScale, nativeUsd);
}

/** Dollars and cents. */
export function usdText(usd: Usd): string {
  const cents = (usd * 100n + one / 2n) / one;
  return `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}`;
}

export type WorthDeps = {
  chain: Pick<ChainConfig, 'nativeUsd' | 'tokens' | 'sweep'>;
  /** Wei for a unit of gas. */
  gasPrice: bigint;
  usdOf(asset: string): string | null;
  now: Date;
};

/** The USD that a deposit must be worth to go now; null where that is not known. */
function leastWorth({ chain, gasPrice }: Pick<WorthDeps, 'chain' | 'gasPrice'>): Usd | null {
  const cost = usdOfWei(gasOfDeposit * gasPrice, chain.nativeUsd);
  return cost === null ? null : (cost * BigInt(Math.round(chain.sweep.worth * 1_000))) / 1_000n;
}

/** The same in units of each token whose price is known. */
export function leastUnits(deps: Omit<WorthDeps, 'now'>): LeastUnits {
  const least = leastWorth(deps);
  const found: LeastUnits = {};
  for (const { asset, address, scale } of deps.chain.tokens) {
    const each = usdOfUnits(10n ** BigInt(scale), scale, deps.usdOf(asset));
    // Rounded down: what is read is compared exactly later.
    if (least !== null && each) found[address] = (least * 10n ** BigInt(scale)) / each;
  }
  return found;
}

/**
 * Parts the deposits of one token into those that go now and those that wait. One goes when it is worth
 * `sweep.worth` times its share of the gas. Where its worth or the native coin's is not known, all go when they
 * fill a batch or the oldest has waited for a day.
 */
export function partByWorth(
  deposits: readonly Deposit[],
  deps: WorthDeps,
): { go: Deposit[]; wait: Deposit[] } {
  const { chain, usdOf, now } = deps;
  const least = leastWorth(deps);
  const worthOf = ({ asset, units }: Deposit): Usd | null => {
    const scale = chain.tokens.find((token) => token.asset === asset)?.scale;
    return asset === null || scale === undefined ? null : usdOfUnits(units, scale, usdOf(asset));
  };
  const go: Deposit[] = [];
  const wait: Deposit[] = [];
  const unknown: Deposit[] = [];
  for (const deposit of deposits) {
    const worth = worthOf(deposit);
    if (worth === null || least === null) unknown.push(deposit);
    else (worth >= least ? go : wait).push(deposit);
  }
  const patienceEnd = after(now, -patienceSeconds);
  const isTime = unknown.length >= batchSize || unknown.some(({ since }) => since <= patienceEnd);
  (isTime ? go : wait).push(...unknown);
  return { go, wait };
}
