import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { examinedWith } from '../../../test/support/doctor.ts';
import { seedAccount } from '../../../test/support/identity-fixtures.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { startApp } from '../../../test/support/running.ts';
import type { DoctorView } from './answers.ts';
import { found } from './checks/finding.ts';
import { newestReport } from './reports.ts';
import { createDoctorWatch, turnedToFault } from './watch.ts';

const hourMs = 3_600_000;

describe('what operators see', () => {
  test('is nothing at first, then what is found when they ask, which is kept, logged and counted', async () => {
    const app = await startApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    const people = await openConsole(app);
    const operator = await people.as('operator');
    const look = async () => (await operator<DoctorView>('GET', '/console/operator/doctor')).body.data;
    expect(await look()).toBeNull();
    const checked = await operator<DoctorView>('POST', '/console/operator/doctor/check', { body: {} });
    expect(checked.status).toBe(200);
    const named = checked.body.data?.findings.map(({ check, finding }) => `${check} ${finding}`) ?? [];
    expect(named).toEqual(
      expect.arrayContaining(['address ok', 'proxy ok', 'mail unreachable', 'stamps ok']),
    );
    expect(await look()).toEqual(checked.body.data);
    const faults = checked.body.data?.findings.filter(({ level }) => level === 'fault') ?? [];
    const { data } = (await operator<{ faults: number }>('GET', '/console/operator/attention')).body;
    expect(data.faults).toBe(faults.length);
    const { rows } = await app.db.query('SELECT action FROM audit_log ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ action: 'looked at the whole installation' }]);
  });

  test('cannot be asked for without end', async () => {
    const app = await startApp({ env: { RATE_LIMIT: '1' } });
    const operator = await (await openConsole(app)).as('operator');
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => operator('POST', '/console/operator/doctor/check', { body: {} })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), 429]);
    expect((await app.db.query('SELECT FROM doctor_reports')).rowCount).toBe(1);
  });
});

describe('the loop', () => {
  test('looks once a day, first ten minutes after the start, and mails what has turned into a fault', async () => {
    const { db } = await testDatabase();
    await seedAccount(db, { isOperator: true });
    let [at, nowMs] = [new Date(), 0];
    const examined = await examinedWith({ BASE_URL: 'http://127.0.0.1:9' });
    const watch = createDoctorWatch({
      ...{ db, examined: { ...examined, isMigrated: async () => true }, now: () => at, nowMs: () => nowMs },
      ...{ baseUrl: 'https://pay.example', log: pino({ level: 'silent' }) },
    });
    const reports = async () => (await db.query('SELECT FROM doctor_reports')).rowCount;
    await watch();
    expect(await reports()).toBe(0);
    nowMs = 600_000;
    await watch();
    await watch();
    expect(await reports()).toBe(1);
    const report = await newestReport(db, 'loop');
    const faults = report?.findings.filter(({ level }) => level === 'fault') ?? [];
    expect(faults.length).toBeGreaterThan(0);
    const [mail] = await outbox(db);
    expect(mail?.subject).toMatch(/^Florin: /);
    expect(mail?.text).toContain(faults[0]?.what);
    expect(mail?.text).toContain('https://pay.example/app/operator/health?tab=doctor');
    at = new Date(at.getTime() + 25 * hourMs);
    await watch();
    expect(await reports()).toBe(2);
    // The same faults are no news.
    expect(await outbox(db)).toHaveLength(1);
  });

  test('knows a fault by what it is about, and not by its figures', () => {
    const disk = (free: string) => found('disk', 'full', `DATA_DIR /data: ${free} of 10 GiB are free`);
    const other = found('disk', 'full', 'DATA_DIR /other: 0.1 of 10 GiB are free');
    expect(turnedToFault([disk('0.4')], [disk('0.3'), other])).toEqual([other]);
    expect(turnedToFault([found('mail', 'none')], [found('mail', 'none')])).toEqual([]);
    expect(turnedToFault([found('mail', 'ok')], [found('mail', 'refused')])).toHaveLength(1);
  });
});
