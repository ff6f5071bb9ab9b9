import { numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { advanceTransaction } from '../send/advance.ts';
import type { SenderDeps } from '../send/deps.ts';
import { type GasPrice, readGasPrice } from '../send/fees.ts';
import type { GasKey } from '../send/key.ts';
import { fillGap } from '../send/send-next.ts';
import { nextNonce, type UnderWay, underWay } from '../send/under-way.ts';
import { countOf, readView, type View } from '../send/view.ts';
import type { SweepDeps } from './deps.ts';
import { dispatch } from './dispatch.ts';
import { noteSwept } from './due.ts';
import type { Plan } from './plan.ts';
import { faultsOf, noteSender } from './sender-state.ts';
import { sweepWork } from './work.ts';

/** What a round did. */
export type Round = {
  /** null: nothing was planned, because another program's transaction comes first or no plan was due. */
  plan: Plan | null;
  /** What was sent and is not settled. */
  open: UnderWay[];
  /** What keeps it from sending, or will soon, in words. */
  faults: string[];
};

/** More nonces under way would all wait for the first one. */
export const openAtMost = 16;

/**
 * One round under the sender lock: it advances the transactions that are under way, and then sends what `plan` returns.
 * Every step is written before it is visible outside, so that a round may end anywhere.
 */
export async function runRound(
  deps: SweepDeps & Pick<SenderDeps, 'lock' | 'key'>,
  plan: ((facts: { gasPrice: GasPrice; room: number }) => Promise<Plan>) | null,
): Promise<Round> {
  const { db, chain, endpoints, key } = deps;
  const before = await underWay(db, chain.id, 'sweep');
  const { value } = await endpoints.use((endpoint) => readSituation(endpoint, deps, before));
  const { view, gasPrice, balance } = value;
  const sending = { ...deps, gasPrice, work: sweepWork(deps), isSure };
  for (const each of before) await advanceTransaction(sending, each, view);

  const open = await underWay(db, chain.id, 'sweep');
  const isForeign = view.pending > nextNonce(countOf(view, key.address), key.address, open);
  const reasons: string[] = [];
  let planned: Plan | null = null;
  if (isForeign)
    reasons.push(`Another program sends with the gas key ${key.address}: its transaction comes first`);
  else {
    if (plan) {
      await noteSwept(db, chain.id);
      planned = await plan({ gasPrice, room: Math.max(0, openAtMost - open.length) });
      const reason = await dispatch(sending, planned, view, open);
      if (reason !== null) reasons.push(reason);
    }
    await fillGap(sending, view, open);
  }
  const left = await underWay(db, chain.id, 'sweep');
  const faults = [...faultsOf({ chain, key, balance, gasPrice, open: left }), ...reasons];
  await noteSender(deps, { key, balance, faults, planned: planned?.more === false });
  return { plan: planned, open: left, faults };
}

/** One endpoint is enough: nobody is owed a sweep, and one that wrongly counts as ended is simply made again. */
const isSure = async (): Promise<boolean> => true;

type Situation = { view: View; gasPrice: GasPrice; balance: bigint };

async function readSituation(
  endpoint: Endpoint,
  { chain, key }: { chain: SweepDeps['chain']; key: GasKey },
  open: readonly UnderWay[],
): Promise<Situation> {
  const senders = new Set(open.map(({ sender }) => sender));
  senders.delete(key.address);
  const view = await readView(endpoint, chain, [key.address, ...senders], open);
  const gasPrice = await readGasPrice(endpoint);
  const [balance] = await endpoint.batch([{ method: 'eth_getBalance', params: [key.address, 'latest'] }]);
  return { view, gasPrice, balance: numberOf(balance) };
}
