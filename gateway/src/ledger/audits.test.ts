import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, silentLog } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { auditChecks } from './audit.ts';
import { type AuditRun, auditRuns, createAudits } from './audits.ts';

const { db } = await testDatabase();
const now = () => new Date('2026-03-01T12:00:00Z');
const audits = createAudits({ db, now, log: silentLog });

const start = () => transaction(db, (tx) => audits.start(tx, 'olga@example.com'));

async function runs(at = now()): Promise<AuditRun[]> {
  return await auditRuns(db, { before: null, limit: 10, now: at });
}

async function ended(id: string): Promise<AuditRun> {
  for (;;) {
    const run = (await runs()).find((each) => each.id === id)!;
    if (run.state !== 'running') return run;
    await new Promise(setImmediate);
  }
}

await seedBalance(db, { owner: 'shop', kind: 'business', mode: 'test', asset: 'pi', units: 500n });

describe('an audit that an operator asks for', () => {
  test('ends clean, with what it looked at and who asked', async () => {
    const run = await ended(await start());
    expect(run).toMatchObject({
      state: 'clean',
      asked_by: 'olga@example.com',
      checks_done: auditChecks,
      checks_total: auditChecks,
      report: { accounts: 2, transfers: 1, entries: 2, findings: [] },
      error: null,
    });
  });

  test('reports what is wrong', async () => {
    await db.query("UPDATE ledger_accounts SET balance = 501 WHERE kind = 'business'");
    const run = await ended(await start());
    expect(run.state).toBe('faults');
    expect(run.report?.findings[0]?.found).toBe('stored 501, entries 500');
    await db.query("UPDATE ledger_accounts SET balance = 500 WHERE kind = 'business'");
  });

  test('waits its turn, unless the process that ran the last one is gone', async () => {
    await db.query(
      `INSERT INTO ledger_audits (id, asked_by, state, checks_total, started_at, seen_at)
       VALUES (gen_random_uuid(), 'another', 'running', 7, $1, $1)`,
      [now()],
    );
    await expect(start()).rejects.toThrow('An audit is running already');
    const later = new Date('2026-03-01T12:01:00Z');
    expect((await runs(later)).map(({ state }) => state)).toContain('lost');
    const next = createAudits({ db, now: () => later, log: silentLog });
    expect((await ended(await transaction(db, (tx) => next.start(tx, 'olga@example.com')))).state).toBe(
      'clean',
    );
  });

  test('is broken off when its gateway stops, and says so', async () => {
    await db.query("UPDATE ledger_audits SET state = 'failed' WHERE state = 'running'");
    const blocker = await db.connect();
    // The audit's first statement waits for this table until it is cancelled.
    await blocker.query('BEGIN; LOCK TABLE ledger_accounts IN ACCESS EXCLUSIVE MODE');
    const stopping = createAudits({ db, now, log: silentLog });
    const id = await transaction(db, (tx) => stopping.start(tx, 'olga@example.com'));
    await stopping.stop();
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await ended(id)).toMatchObject({ state: 'failed', error: 'The gateway was stopped' });
  });
});
