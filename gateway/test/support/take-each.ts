import type { Tx } from '../../src/kit/db/db.ts';
import type { Move } from '../../src/rails/move.ts';
import type { Arrival } from '../../src/rails/owner.ts';
import type { Observation, Outflow, Sweep, UnmatchedDeposit } from '../../src/rails/rail.ts';
import type { TakeReports } from '../../src/rails/report.ts';

/** What takes reports in a test, one by one; what is left out is taken and forgotten. */
export type Takers = {
  transfer?(tx: Tx, seen: Observation, at: Date): Promise<unknown>;
  unmatched?(tx: Tx, deposit: UnmatchedDeposit): Promise<unknown>;
  outflow?(tx: Tx, outflow: Outflow): Promise<unknown>;
  arrival?(tx: Tx, arrival: Arrival): Promise<unknown>;
  sweep?(tx: Tx, sweep: Sweep): Promise<unknown>;
  move?(tx: Tx, move: Move): Promise<unknown>;
};

/** Takes the reports of a batch in their order. */
export function takeEach(takers: Takers): TakeReports {
  return async (tx, batch) => {
    for (const report of batch) {
      if (report.kind === 'transfer') await takers.transfer?.(tx, report.seen, report.at);
      if (report.kind === 'unmatched') await takers.unmatched?.(tx, report.deposit);
      if (report.kind === 'arrival') await takers.arrival?.(tx, report.arrival);
      if (report.kind === 'outflow') await takers.outflow?.(tx, report.outflow);
      if (report.kind === 'sweep') await takers.sweep?.(tx, report.sweep);
      if (report.kind === 'move') await takers.move?.(tx, report.move);
    }
  };
}
