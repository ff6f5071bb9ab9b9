import type { Hex } from '../config/chains.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import type { GasPrice } from '../send/fees.ts';
import { checkDeposits, gasLimitOf, type LeftOut } from './check.ts';
import type { SweepDeps } from './deps.ts';
import type { Deposit } from './due.ts';
import { callOf } from './work.ts';
import { batchSize, partByWorth } from './worth.ts';

/** One transaction to send: deposits of one token that go to one treasury. */
type Batch = {
  token: Hex;
  asset: string | null;
  treasury: Hex;
  deposits: Deposit[];
  units: bigint;
  gasLimit: bigint;
};

export type Plan = {
  gasPrice: GasPrice;
  batches: Batch[];
  /** Deposits that are not worth the gas yet. */
  waiting: Deposit[];
  leftOut: LeftOut[];
  /** There is more to send than may be sent at once. */
  more: boolean;
};

export type PlanOptions = {
  deposits: readonly Deposit[];
  gasPrice: GasPrice;
  /** Whether all deposits go, whatever they are worth. */
  all: boolean;
  /** The account that pays for gas; null: not known yet. */
  sender: Hex | null;
  /** How many transactions may be sent. */
  room: number;
};

/** Whose addresses a sweep of these deposits names. */
export const ownersOf = (deposits: readonly Deposit[]): string[] =>
  deposits.flatMap(({ owner }) => owner ?? []);

/** Decides which transaction moves which deposits, by what the chain says of every deposit and of its gas. */
export async function planSweeps(
  { db, chain, usdOf, now }: Pick<SweepDeps, 'db' | 'chain' | 'usdOf' | 'now'>,
  endpoint: Endpoint,
  { deposits, gasPrice, all, sender, room }: PlanOptions,
): Promise<Plan> {
  const plan: Plan = { gasPrice, batches: [], waiting: [], leftOut: [], more: false };
  const groups = Map.groupBy(deposits, ({ token, treasury }) => `${token} ${treasury}`);
  for (const [, group] of groups) {
    const parts = partByWorth(group, { chain, gasPrice: gasPrice.price, usdOf, now: now() });
    const { go, wait } = all ? { go: group, wait: [] } : parts;
    plan.waiting.push(...wait);
    for (let at = 0; at < go.length; at += batchSize) {
      plan.more ||= plan.batches.length === room;
      if (plan.more) break;
      const batch = go.slice(at, at + batchSize);
      const [oldest] = batch;
      if (!oldest) break;
      const payer = sender ?? oldest.treasury;
      const { good, bad } = await checkDeposits(endpoint, payer, batch);
      plan.leftOut.push(...bad);
      const [first] = good;
      if (!first) continue;
      const { token, asset, treasury } = first;
      const owners = ownersOf(good);
      plan.batches.push({
        ...{ token, asset, treasury, deposits: good },
        units: good.reduce((sum, { units }) => sum + units, 0n),
        gasLimit: await gasLimitOf(endpoint, payer, await callOf(db, { token, treasury, owners })),
      });
    }
  }
  return plan;
}
