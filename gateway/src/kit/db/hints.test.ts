import { afterAll, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { startLossyProxy } from '../../../test/support/lossy-proxy.ts';
import { createHints, type Hints } from './hints.ts';

const { db, connection } = await testDatabase();
const one = createHints(db, connection);
const other = createHints(db, connection);
await listening(2);
afterAll(() => Promise.all([one.close(), other.close()]));

/** Waits until this many connections listen, other than those named, and returns their process ids. */
async function listening(count: number, besides: number[] = []): Promise<number[]> {
  return await vi.waitFor(
    async () => {
      const { rows } = await db.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN florin'
           AND state = 'idle' AND pid <> ALL($1)`,
        [besides],
      );
      expect(rows).toHaveLength(count);
      return rows.map(({ pid }) => pid);
    },
    { timeout: 120_000 },
  );
}

function heardBy(hints: Hints, topic: string): string[] {
  const keys: string[] = [];
  hints.on(topic, (key) => keys.push(key));
  return keys;
}

test('a hint reaches its own process at once and another one soon, each once', async () => {
  const [here, there] = [heardBy(one, 'payment'), heardBy(other, 'payment')];
  one.send('payment', 'first');
  expect(here).toEqual(['first']);
  await expect.poll(() => there).toEqual(['first']);
  // Its own notification would have come before this one, which was sent later.
  other.send('payment', 'second');
  await expect.poll(() => here).toEqual(['first', 'second']);
  expect(there).toEqual(['first', 'second']);
});

test('a hint of one topic does not reach listeners of another', async () => {
  const [deliveries, payments] = [heardBy(other, 'delivery'), heardBy(other, 'paid')];
  one.send('paid', 'x');
  one.send('delivery');
  await expect.poll(() => deliveries).toEqual(['']);
  expect(payments).toEqual(['x']);
});

test('a key may contain spaces', async () => {
  const there = heardBy(other, 'words');
  one.send('words', 'two words');
  await expect.poll(() => there).toEqual(['two words']);
});

test('more hints than one notification holds all arrive, and the same one is sent once', async () => {
  const there = heardBy(other, 'many');
  const keys = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(36, '0'));
  for (const key of keys) one.send('many', key);
  for (const key of keys) one.send('many', key);
  await expect.poll(() => new Set(there).size).toBe(500);
  expect(there.length).toBeLessThan(1_000);
});

test('a listener that has unsubscribed gets no hint', () => {
  const keys: string[] = [];
  const stop = one.on('gone', (key) => keys.push(key));
  one.send('gone', 'a');
  stop();
  one.send('gone', 'b');
  expect(keys).toEqual(['a']);
});

test('a listener whose connection broke is connected again', async () => {
  const old = await listening(2);
  await db.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS t(pid)', [old]);
  await listening(2, old);
  const there = heardBy(other, 'back');
  one.send('back', 'again');
  await expect.poll(() => there).toEqual(['again']);
});

test('a listener whose connection was cut without a word is connected again', async () => {
  const { connection, ...database } = await testDatabase();
  const proxy = await startLossyProxy(connection);
  const far = createHints(database.db, proxy.connection, { everyMs: 600, answerMs: 500 });
  const near = createHints(database.db, connection);
  try {
    const there = heardBy(far, 'cut');
    const hear = (key: string) =>
      vi.waitFor(() => {
        near.send('cut', key);
        expect(there).toContain(key);
      }, 120_000);
    await hear('before');
    proxy.cutSilently();
    await hear('after');
    await expect.poll(proxy.open).toBe(1);
  } finally {
    await Promise.all([far.close(), near.close()]);
    await proxy.close();
  }
});
