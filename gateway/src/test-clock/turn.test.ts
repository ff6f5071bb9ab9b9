import { describe, expect, test } from 'vitest';
import { expireLeases } from '../../test/support/database.ts';
import { seedIntegration } from '../../test/support/fixtures.ts';
import { startApp } from '../../test/support/running.ts';
import type { IntegrationId } from '../identity/integration.ts';
import { takeLease } from '../kit/db/lease.ts';
import { newId } from '../kit/ids.ts';
import { clockLease, inClockTurn } from './turn.ts';

const app = await startApp();

/** Has an integration's turn until `end` is called. */
async function holdTurn(id: IntegrationId): Promise<{ end(): Promise<void> }> {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const done = inClockTurn(app.db, id, async () => {
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  return {
    end() {
      over.resolve();
      return done;
    },
  };
}

const integration = async () => (await seedIntegration(app.db)).integrationId;

describe('a turn at a test clock', () => {
  test('is one at a time: the next waits for it, and goes on when it failed too', async () => {
    const id = await integration();
    const order: string[] = [];
    const works = ['a', 'b', 'c'].map((name) =>
      inClockTurn(app.db, id, async () => {
        order.push(`${name} begins`);
        await app.db.query('SELECT 1');
        order.push(`${name} ends`);
        if (name === 'a') throw new Error('no luck');
      }).catch(() => {}),
    );
    await Promise.all(works);
    expect(order).toHaveLength(6);
    for (let n = 0; n < 6; n += 2) expect(order[n]!.replace('begins', 'ends')).toBe(order[n + 1]);
  });

  test('does not delay other integrations', async () => {
    const turn = await holdTurn(await integration());
    expect(await inClockTurn(app.db, await integration(), async () => 'mine')).toBe('mine');
    await turn.end();
  });

  test('of a process that died is free when it has run out', async () => {
    const id = await integration();
    await takeLease(app.db, { name: clockLease(id), holder: newId(), seconds: 10 });
    await expireLeases(app.db);
    expect(await inClockTurn(app.db, id, async () => 'mine')).toBe('mine');
  });
});

describe('while the test clock is advanced', () => {
  const advance = (seconds: unknown, key: string) =>
    app.api<{ now: string }>('POST', '/test/clock/advance', { key, body: { seconds } });

  test('a second call waits, and both count', async () => {
    const { integrationId: id, secretKey } = await seedIntegration(app.db);
    const turn = await holdTurn(id);
    let answered = 0;
    const calls = [60, 40].map(async (seconds) => {
      const { status } = await advance(seconds, secretKey);
      answered += 1;
      return status;
    });
    // Both had the time to answer, had they not waited.
    await app.api('POST', '/test/clock/reset', { key: secretKey });
    await app.api('GET', '/test/clock', { key: secretKey });
    expect(answered).toBe(0);
    await turn.end();
    expect(await Promise.all(calls)).toEqual([200, 200]);
    const { rows } = await app.db.query<{ seconds: number }>(
      'SELECT test_clock_seconds::integer AS seconds FROM integrations WHERE id = $1',
      [id],
    );
    expect(rows[0]!.seconds).toBe(100);
  });

  test('a body that is not understood is refused at once', async () => {
    const { integrationId: id, secretKey } = await seedIntegration(app.db);
    const turn = await holdTurn(id);
    const { status, body } = await advance(0, secretKey);
    expect([status, body.error]).toEqual([400, 'field_invalid']);
    await turn.end();
  });
});
