import { afterCommit, type Tx } from '../kit/db/db.ts';
import { recordTransfer } from '../payments/observe.ts';
import { settleSend } from '../payments/sending/outcome.ts';
import { bookOutflow } from '../payments/sending/outflows.ts';
import type { StateDeps } from '../payments/state.ts';
import { bookSweep } from '../payments/treasury.ts';
import { unmatchedRef } from '../payments/unmatched/assign.ts';
import { bookUnmatched } from '../payments/unmatched/book.ts';
import type { Observation } from '../rails/rail.ts';
import type { Report, TakeReports } from '../rails/report.ts';

export type TakeDeps = StateDeps & {
  /** Counts what was reported of transfers, for the metrics. */
  count: (rail: string, state: Observation['state']) => void;
};

/** How payments take what rails report, each batch in the transaction that notes it as reported. */
export function createTakeReports(deps: TakeDeps): TakeReports {
  return async (tx, batch) => {
    // The first transfer locks all accounts of the batch: transfers go before what is booked with them.
    const transfers = batch.flatMap((report) => (report.kind === 'transfer' ? [report] : []));
    const assets = [...new Set(transfers.filter(({ isBooked }) => isBooked).map(({ seen }) => seen.asset))];
    const others = batch.flatMap((report) =>
      report.kind === 'unmatched' ? [unmatchedRef(report.deposit.rail, report.deposit.asset)] : [],
    );
    for (const { seen, at } of transfers) {
      await recordTransfer(tx, deps, seen, at, { assets, others });
      afterCommit(tx, () => deps.count(seen.rail, seen.state));
    }
    for (const report of batch) await takeOther(tx, deps, report);
  };
}

async function takeOther(tx: Tx, deps: StateDeps, report: Report): Promise<void> {
  switch (report.kind) {
    case 'transfer':
      return;
    case 'unmatched':
      await bookUnmatched(tx, deps, report.deposit);
      return;
    case 'sweep':
      await bookSweep(tx, report.sweep, deps.now());
      return;
    case 'outflow':
      await bookOutflow(tx, report.outflow, deps.now(), (_, sent) => settleSend(tx, sent, deps.now()));
      return;
  }
}
