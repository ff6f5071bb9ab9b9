import { keepLease, LeaseLost, leaveLease, takeLease } from '../../../kit/db/lease.ts';
import { newId } from '../../../kit/ids.ts';
import type { Secret } from '../../../kit/secret.ts';
import type { Hex } from '../config/chains.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { type GasPrice, readGasPrice } from '../send/fees.ts';
import { KeyFault, readGasKey } from '../send/key.ts';
import type { SweepDeps } from './deps.ts';
import { type Deposit, depositsDue, depositsOf, type LeastUnits } from './due.ts';
import { leftAtDirectPlaces } from './left-at-direct-places.ts';
import { type Plan, planSweeps } from './plan.ts';
import { openAtMost, type Round, runRound } from './round.ts';
import { senderLock } from './sender-lock.ts';
import { isBusy, isPlanDue, noteSenderFault } from './sender-state.ts';
import { leastUnits } from './worth.ts';

/**
 * What to sweep: the deposits that are worth their gas, all deposits, or what the addresses of some payments hold of a
 * token that is not listed, or of the native coin.
 */
export type SweepTarget =
  | { kind: 'worthwhile' | 'all' }
  | { kind: 'token'; token: Hex; paymentIds: readonly string[] };

export type Sweeper = {
  /**
   * One round of the worker: follows what is under way, and every `sweep.everySeconds` looks for more. Faults of
   * endpoints and of the key's file are logged and shown to operators; others are thrown.
   */
  tick(): Promise<void>;
  /** Follows what is under way, and sweeps `what`; null while another process sends. Throws RpcFault, KeyFault. */
  sweep(what: SweepTarget | null): Promise<Round | null>;
};

type PlanFacts = {
  gasPrice: GasPrice;
  /** Who pays for gas, if that is known. */
  sender: Hex | null;
  /** How many transactions may be sent. */
  room: number;
  /** Whether what waits for cheaper gas is listed too, which may take a while. */
  showsAll: boolean;
};

/** Shows what would be sent now. It changes nothing, and needs no key. */
export async function previewSweeps(deps: SweepDeps, what: SweepTarget): Promise<Plan> {
  const { value: gasPrice } = await deps.endpoints.use(readGasPrice);
  return await planNow(deps, what, { gasPrice, sender: null, room: openAtMost, showsAll: true });
}

async function planNow(deps: SweepDeps, what: SweepTarget, { showsAll, ...facts }: PlanFacts): Promise<Plan> {
  const { chain, endpoints, usdOf } = deps;
  const isLimited = what.kind === 'worthwhile' && !showsAll;
  const least = isLimited ? leastUnits({ chain, gasPrice: facts.gasPrice.price, usdOf }) : {};
  const deposits = await findDeposits(deps, what, least);
  const all = what.kind !== 'worthwhile';
  const plan = async (endpoint: Endpoint) => {
    const left = what.kind === 'token' ? [] : await leftAtDirectPlaces(deps, endpoint);
    return await planSweeps(deps, endpoint, { ...facts, deposits: [...deposits, ...left], all });
  };
  return (await endpoints.use(plan)).value;
}

async function findDeposits(
  { db, chain, now }: SweepDeps,
  what: SweepTarget,
  least: LeastUnits,
): Promise<Deposit[]> {
  return what.kind === 'token'
    ? await depositsOf(db, { token: what.token, now: now() }, what.paymentIds)
    : await depositsDue(db, chain.id, now(), least);
}

/** Moves deposits of one chain to the treasury; the key in `keyFile` pays for gas. */
export function createSweeper(deps: SweepDeps & { keyFile: Secret }): Sweeper {
  const { db, chain, keyFile, log, now } = deps;
  const terms = senderLock(chain.id, newId(now()));
  let lastFault: string | null = null;

  /** `choose` is asked once the sender lock is held. */
  async function round(choose: () => Promise<SweepTarget | null>, showsAll: boolean): Promise<Round | null> {
    const key = await readGasKey(keyFile);
    const lock = await takeLease(db, terms);
    if (!lock) return null;
    const stopKeeping = keepLease(db, lock);
    try {
      const what = await choose();
      const plan =
        what &&
        ((facts: { gasPrice: GasPrice; room: number }) =>
          planNow(deps, what, { ...facts, sender: key.address, showsAll }));
      return await runRound({ ...deps, lock, key }, plan);
    } finally {
      stopKeeping();
      // The lock runs out by itself where the database cannot be reached.
      await leaveLease(db, terms).catch(() => {});
    }
  }

  return {
    async tick() {
      const isDue = () => isPlanDue(db, chain.id, chain.sweep.everySeconds, now());
      try {
        // Endpoints are asked when there is something to ask for.
        if (!(await isDue()) && !(await isBusy(db, chain.id))) return;
        await round(async () => ((await isDue()) ? { kind: 'worthwhile' } : null), false);
        lastFault = null;
      } catch (error) {
        if (!(error instanceof RpcFault || error instanceof KeyFault || error instanceof LeaseLost))
          throw error;
        // Logged once, and not every few seconds.
        if (error.message === lastFault) return;
        lastFault = error.message;
        log.warn({ chain: chain.id, fault: error.message }, 'sweeping needs attention');
        await noteSenderFault(db, chain.id, error.message);
      }
    },
    sweep: (what) => round(async () => what, true),
  };
}
