import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { LeaseLost, leaveLease, takeLease, writeUnderLease } from '../kit/db/lease.ts';
import { newId } from '../kit/ids.ts';
import { type ChainConfig, railOf } from '../rails/evm/config/chains.ts';
import { payoutOutbox } from '../rails/evm/payouts/outbox.ts';
import { noteNeedsExport } from '../rails/evm/payouts/plain-exports.ts';
import { createReporter, type TakeReports } from '../rails/report.ts';
import { isPaidByHand, settlePaidByHand } from '../treasury/paid-by-hand.ts';
import { senderMs } from './network.ts';

export type HandPayingDeps = {
  db: Database;
  chain: ChainConfig;
  take: TakeReports;
  now: Clock;
  log: Logger;
};

const leaseSeconds = 60;

/**
 * Follows the payouts that an operator pays by hand out of the treasury of a chain. It also runs where the configuration
 * names a vault now: payouts that were exported before are still paid by hand.
 */
export function createHandPaying({ db, chain, take, now, log }: HandPayingDeps) {
  const place = { chainId: chain.id, rail: railOf(chain.id) };
  const terms = { name: `evm by hand ${chain.id}`, holder: newId(now()), seconds: leaseSeconds };
  const { reportDue } = createReporter({ db, take, now, log, outbox: payoutOutbox(chain) });

  async function settle(): Promise<void> {
    const lease = await takeLease(db, terms);
    if (!lease) return;
    try {
      await writeUnderLease(db, lease, (tx) => settlePaidByHand(tx, place, now()));
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      // The lease runs out by itself where the database cannot be reached.
      await leaveLease(db, terms).catch(() => {});
    }
  }

  async function work(): Promise<void> {
    if (chain.paysByHand) await noteNeedsExport(db, chain.id);
    if (await isPaidByHand(db, place)) await settle();
    while (await reportDue());
  }
  return { name: `payouts by hand ${chain.id}`, everyMs: senderMs, work };
}
