import { afterCommit, type Reader, type Tx } from '../kit/db/db.ts';
import type { BookedAt } from '../ledger/ledger.ts';
import type { StateDeps } from '../payments/payment/state.ts';
import { recordTransfers } from '../payments/settlement/observe.ts';
import { bookSweep } from '../payments/settlement/treasury.ts';
import { unmatchedRef } from '../payments/unmatched/assign.ts';
import { bookUnmatched } from '../payments/unmatched/book.ts';
import type { Arrival } from '../rails/owner.ts';
import type { Observation, Outflow, SendReport } from '../rails/rail.ts';
import type { Report, TakeReports } from '../rails/report.ts';
import { bookDirectMove } from '../treasury/direct/moves.ts';
import { bookMove, unorderedMove } from '../treasury/moves.ts';
import { bookOutflow } from './outflows.ts';

/** The payouts whose orders rails carry out. */
export type Sends = {
  /** Takes reports of orders in the transaction that notes them; returns the ids of orders that are no payouts. */
  take(tx: Tx, reports: readonly SendReport[]): Promise<string[]>;
  /** Whether nothing new may be signed; what was signed is followed to its end. */
  isStopped(reader: Reader): Promise<boolean>;
};

type BookArrival = (tx: Tx, arrival: Arrival, at: BookedAt) => Promise<void>;

export type TakeDeps = StateDeps & {
  sends: Sends;
  /** Books what arrived at a reusable address, by the kind of its owner. */
  bookArrival: Readonly<Record<Arrival['owner']['kind'], BookArrival>>;
  /** Counts what was reported of transfers, for the metrics. */
  count: (rail: string, state: Observation['state']) => void;
};

/** How payments take what rails report, each batch in the transaction that notes it as reported. */
export function createTakeReports(deps: TakeDeps): TakeReports {
  return async (tx, batch) => {
    // Transfers go first: they lock all accounts of the batch.
    const transfers = batch.filter((report) => report.kind === 'transfer');
    const others = batch.flatMap((report) =>
      report.kind === 'unmatched'
        ? [unmatchedRef({ ...report.deposit, mode: deps.assets.modeOf(report.deposit.asset) })]
        : [],
    );
    await recordTransfers(tx, deps, transfers, others);
    for (const { seen } of transfers) afterCommit(tx, () => deps.count(seen.rail, seen.state));
    for (const report of batch) await takeOther(tx, deps, report);
  };
}

async function takeOther(tx: Tx, deps: TakeDeps, report: Report): Promise<void> {
  // The asset says the mode in which it is booked, for all that a network shows.
  const at = ({ asset }: { asset: string }): BookedAt => ({
    mode: deps.assets.modeOf(asset),
    now: deps.now(),
  });
  switch (report.kind) {
    case 'transfer':
      return;
    case 'unmatched':
      await bookUnmatched(tx, deps, report.deposit);
      return;
    case 'sweep':
      await bookSweep(tx, report.sweep, at(report.sweep));
      return;
    case 'move':
      await bookMove(tx, report.move, at(report.move));
      return;
    case 'direct':
      await bookDirectMove(tx, report.move, at(report.move));
      return;
    case 'arrival':
      await deps.bookArrival[report.arrival.owner.kind](tx, report.arrival, at(report.arrival));
      return;
    case 'outflow':
      await bookOutflow(tx, report.outflow, at(report.outflow), (_, sent) => settleOutflow(tx, deps, sent));
      if (report.outflow.sendId === null && report.outflow.units > 0n) {
        await bookMove(tx, unorderedMove(report.outflow), at(report.outflow));
      }
      return;
    case 'send':
      await deps.sends.take(tx, [report.report]);
      return;
  }
}

/** Settles the payout of an order whose money has left the account. */
async function settleOutflow(tx: Tx, { sends }: TakeDeps, sent: Outflow & { sendId: string }): Promise<void> {
  const { rail, sendId: id, transaction, at } = sent;
  const others = await sends.take(tx, [{ rail, id, state: 'sent', transaction, why: null, at }]);
  if (others.length > 0) throw new Error(`Send ${id} was ordered for nothing that is known`);
}
