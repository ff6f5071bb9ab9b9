import type { Logger } from 'pino';
import { after, type Clock } from '../kit/clock.ts';
import { afterCommit, type Database, type Reader, type Tx, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { type AuditReport, auditChecks, auditLedger, beginAudit } from './audit.ts';
import { ledgerErrors } from './errors.ts';

export type AuditRun = {
  id: string;
  asked_by: string;
  /** `lost`: the process that ran it is gone. */
  state: 'running' | 'clean' | 'faults' | 'failed' | 'lost';
  checks_done: number;
  checks_total: number;
  started_at: Date;
  ended_at: Date | null;
  report: AuditReport | null;
  error: string | null;
};

/** Audits that operators ask for: they run in the background, one at a time in the whole installation. */
export type Audits = {
  /**
   * Notes a run in `tx` and returns its id; it begins once that commits. Throws `audit_runs` while another is
   * under way anywhere.
   */
  start(tx: Tx, askedBy: string): Promise<string>;
  /** Cancels the audit that is under way, and resolves when that is noted. */
  stop(): Promise<void>;
};

const aliveEveryMs = 5_000;
const lostAfterSeconds = 30;

export type AuditsDeps = { db: Database; now: Clock; log: Logger };

type Ended = {
  state: 'clean' | 'faults' | 'failed';
  checksDone: number;
  report: AuditReport | null;
  error: string | null;
};

export function createAudits({ db, now, log }: AuditsDeps): Audits {
  let backend: number | null = null;
  let underWay: Promise<void> = Promise.resolve();
  let stopped = false;

  async function run(id: string): Promise<void> {
    let checksDone = 0;
    const keepAlive = () =>
      db
        .query(
          "UPDATE ledger_audits SET seen_at = $2, checks_done = $3 WHERE id = $1 AND state = 'running'",
          [id, now(), checksDone],
        )
        .catch(() => {});
    const alive = setInterval(() => void keepAlive(), aliveEveryMs);
    try {
      const report = await transaction(db, async (tx) => {
        await beginAudit(tx);
        const process = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        backend = oneRow(process, 'backend pid').pid;
        if (stopped) throw new Error('The gateway was stopped');
        return await auditLedger(tx, (done) => {
          checksDone = done;
          void keepAlive();
        });
      });
      const state = report.findings.length === 0 ? 'clean' : 'faults';
      await end(id, { state, checksDone: auditChecks, report, error: null });
    } catch (error) {
      const why = stopped ? 'The gateway was stopped' : (error as Error).message;
      log.warn({ err: error }, 'an audit of the ledger did not end');
      await end(id, { state: 'failed', checksDone, report: null, error: why }).catch(() => {});
    } finally {
      backend = null;
      clearInterval(alive);
    }
  }

  async function end(id: string, { state, checksDone, report, error }: Ended): Promise<void> {
    await db.query(
      `UPDATE ledger_audits SET state = $2, checks_done = $3, report = $4, error = $5, ended_at = $6, seen_at = $6
       WHERE id = $1`,
      [id, state, checksDone, report, error, now()],
    );
  }

  return {
    async start(tx, askedBy) {
      // One at a time: two requests together must not both find that nothing runs.
      await tx.query('LOCK TABLE ledger_audits IN SHARE ROW EXCLUSIVE MODE');
      const time = now();
      const { rowCount } = await tx.query(
        "SELECT FROM ledger_audits WHERE state = 'running' AND seen_at > $1",
        [after(time, -lostAfterSeconds)],
      );
      if (rowCount !== 0) throw refuse(ledgerErrors.audit_runs);
      const id = newId(time);
      await tx.query(
        `INSERT INTO ledger_audits (id, asked_by, state, checks_total, started_at, seen_at)
         VALUES ($1, $2, 'running', $3, $4, $4)`,
        [id, askedBy, auditChecks, time],
      );
      afterCommit(tx, () => {
        underWay = run(id);
      });
      return id;
    },
    async stop() {
      stopped = true;
      if (backend !== null) await db.query('SELECT pg_cancel_backend($1)', [backend]).catch(() => {});
      await underWay;
    },
  };
}

/** Audits that were asked for, newest first, before the run `before`. */
export async function auditRuns(
  reader: Reader,
  { before, limit, now }: { before: string | null; limit: number; now: Date },
): Promise<AuditRun[]> {
  const { rows } = await reader.query<AuditRun>(
    `SELECT id, asked_by, checks_done, checks_total, started_at, ended_at, report, error,
       CASE WHEN state = 'running' AND seen_at <= $3 THEN 'lost' ELSE state END AS state
     FROM ledger_audits WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before, limit, after(now, -lostAfterSeconds)],
  );
  return rows;
}
