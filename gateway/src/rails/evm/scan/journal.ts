import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { smallNumber } from '../../../money/small-number.ts';
import { createFaultLine } from '../../fault-line.ts';
import type { ChainConfig } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import { type Held, writeHeld } from './blocks/held-chain.ts';
import { countConfirmations } from './blocks/transfers.ts';
import type { Outcome } from './round.ts';

type JournalDeps = { db: Database; chain: ChainConfig; endpoints: Endpoints; now: Clock; log: Logger };

/** With fewer blocks than this to read, a scan is not catching up. */
const catchingUpBlocks = 50;
const lineMs = 10_000;

/**
 * What a scanner writes about itself: in the chain's row for every process, and in the log, where each fault is one
 * line when it begins and one when it ends, and catching up is a line every ten seconds.
 */
export function createJournal({ db, chain, endpoints, now, log }: JournalDeps) {
  const logFault = createFaultLine({ log, name: chain.name, fields: { chain: chain.id }, now });
  let lastLineMs = Number.NEGATIVE_INFINITY;
  let speed: number | null = null;

  function logProgress({ head, seen, blocks }: Outcome, tookMs: number): void {
    const behind = head && seen ? smallNumber(head.head.number - seen.number) : 0;
    if (behind < catchingUpBlocks) {
      speed = null;
      return;
    }
    speed = Math.max(0, smallNumber(blocks) / (Math.max(tookMs, 1) / 1000));
    if (performance.now() - lastLineMs < lineMs) return;
    lastLineMs = performance.now();
    const secondsLeft = speed > 0 ? Math.ceil(behind / speed) : null;
    log.info(
      { chain: chain.id, behind, blocksPerSecond: Math.round(speed), secondsLeft },
      `the scan of ${chain.name} is catching up`,
    );
  }

  return {
    /** Notes how a round went, and counts the confirmations up to its head. Throws LeaseLost. */
    async note(held: Held, outcome: Outcome, tookMs: number): Promise<void> {
      const { head, faults, endpoint, through } = outcome;
      const trusted = head ? head.trusted : held.trusted;
      const fault = faults.length > 0 ? faults.join('; ') : null;
      // One endpoint of several may leave out what it likes.
      const isWhole = through !== null && head !== null && !(head.isLone && endpoints.size > 1);
      logFault(fault);
      logProgress(outcome, tookMs);
      await writeHeld(db, held, async (tx) => {
        await tx.query(
          `UPDATE evm_chains SET head_number = coalesce($2, head_number), head_at = coalesce($3, head_at),
             finalized_number = coalesce($4, finalized_number), blocks_per_second = $5, scan_fault = $6,
             scan_fault_at = CASE WHEN $6::text IS NOT NULL THEN coalesce(scan_fault_at, $7) END,
             endpoint = coalesce($8, endpoint), endpoints = $9,
             catch_up_from = CASE WHEN $5::double precision IS NOT NULL THEN coalesce(catch_up_from, $10) END,
             read_through = coalesce($11, read_through),
             read_head = coalesce($15, read_head), read_head_at = coalesce($16, read_head_at),
             trusted_number = $12, trusted_at = $13, head_fault = $14
           WHERE chain_id = $1`,
          [
            chain.id,
            head?.head.number ?? null,
            head ? now() : null,
            head?.target ?? null,
            speed,
            fault,
            now(),
            endpoint,
            JSON.stringify(endpoints.report()),
            held.seen?.number ?? outcome.seen?.number ?? null,
            through,
            trusted?.number ?? null,
            trusted?.at ?? null,
            head?.doubt ?? null,
            ...(isWhole ? [head.head.number, head.head.at] : [null, null]),
          ],
        );
        if (head) await countConfirmations(tx, chain, head.head.number);
      });
    },
  };
}
