import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openDatabase, transaction } from '../db/db.ts';
import { kitErrors, Refusal, refuse } from '../errors.ts';
import { randomToken } from '../ids.ts';
import {
  claimKeys,
  completeKeys,
  findReplay,
  forgetKeys,
  type IdempotencyKey,
  once,
  readIdempotencyKey,
  releaseKeys,
  replayOr,
} from './idempotency.ts';

const now = new Date('2026-03-01T12:00:00Z');
const { db, connection } = await testDatabase();
const otherProcess = openDatabase(connection, 5);
afterAll(() => otherProcess.end());

function keyFor(body: string, key = randomToken(), scope = 'shop test create'): IdempotencyKey {
  return readIdempotencyKey(key, scope, Buffer.from(body))!;
}

describe('the header', () => {
  test('may be absent', () => {
    expect(readIdempotencyKey(undefined, 'scope', undefined)).toBeNull();
  });

  test('means the same bare and quoted', () => {
    expect(readIdempotencyKey('"order-1"', 's', undefined)).toEqual(
      readIdempotencyKey('order-1', 's', undefined),
    );
  });

  test('has 1 to 255 characters', () => {
    expect(readIdempotencyKey('k'.repeat(255), 's', undefined)?.key).toHaveLength(255);
    for (const header of ['', '""', 'k'.repeat(256)]) {
      expect(() => readIdempotencyKey(header, 's', undefined)).toThrow(
        'Idempotency-Key is invalid: must have 1 to 255 characters',
      );
    }
  });

  test('is tied to the exact bytes of the body', () => {
    const [one, same, other] = ['{"a":1}', '{"a":1}', '{"a": 1}'].map((body) => keyFor(body, 'k'));
    expect(one!.fingerprint.equals(same!.fingerprint)).toBe(true);
    expect(one!.fingerprint.equals(other!.fingerprint)).toBe(false);
  });
});

describe('a keyed write', () => {
  const write = (key: IdempotencyKey | null, work: () => Promise<string>, pool = db) =>
    transaction(pool, (tx) => once(tx, key, now, work));

  test('works once and then replays the same body', async () => {
    const key = keyFor('{}');
    let times = 0;
    const work = async () => `done ${++times}`;
    expect(await write(key, work)).toEqual({ body: 'done 1', replayed: false });
    expect(await write(key, work)).toEqual({ body: 'done 1', replayed: true });
    expect(times).toBe(1);
  });

  test('without a key works each time', async () => {
    let times = 0;
    const work = async () => `done ${++times}`;
    await write(null, work);
    expect(await write(null, work)).toEqual({ body: 'done 2', replayed: false });
  });

  test('of another body under the same key is refused', async () => {
    await write(keyFor('{"amount":1}', 'shared'), async () => 'one');
    await expect(write(keyFor('{"amount":2}', 'shared'), async () => 'two')).rejects.toMatchObject({
      row: kitErrors.idempotency_mismatch,
    });
  });

  test('of another scope under the same key is another write', async () => {
    await write(keyFor('{}', 'same', 'shop test create'), async () => 'one');
    for (const scope of ['shop live create', 'shop test fund-user', 'other test create']) {
      expect(await write(keyFor('{}', 'same', scope), async () => scope)).toEqual({
        body: scope,
        replayed: false,
      });
    }
  });

  test('that is refused stores nothing and is judged anew', async () => {
    const key = keyFor('{}');
    const refused = write(key, async () => {
      throw refuse(kitErrors.not_found);
    });
    await expect(refused).rejects.toMatchObject({ row: kitErrors.not_found });
    expect(await findReplay(db, key)).toBeNull();
    expect(await write(key, async () => 'now it is there')).toMatchObject({ replayed: false });
  });

  test('waits for the same write in another process and replays its outcome', async () => {
    const key = keyFor('{}');
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const first = write(key, async () => {
      begun.resolve();
      await finish.promise;
      return 'mine';
    });
    await begun.promise;
    const twin = write(key, async () => 'again', otherProcess);
    await waitingForLock();
    finish.resolve();
    expect(await first).toEqual({ body: 'mine', replayed: false });
    expect(await twin).toEqual({ body: 'mine', replayed: true });
  });

  test('runs itself when the same write in another process is refused', async () => {
    const key = keyFor('{}');
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const first = write(key, async () => {
      begun.resolve();
      await finish.promise;
      throw refuse(kitErrors.not_found);
    });
    const refused = expect(first).rejects.toMatchObject({ row: kitErrors.not_found });
    await begun.promise;
    const twin = write(key, async () => 'mine', otherProcess);
    await waitingForLock();
    finish.resolve();
    await refused;
    expect(await twin).toEqual({ body: 'mine', replayed: false });
  });

  test('is refused as in use when the same write in another process takes too long', async () => {
    const key = keyFor('{}');
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const first = write(key, async () => {
      begun.resolve();
      await finish.promise;
      return 'mine';
    });
    await begun.promise;
    const impatient = transaction(otherProcess, async (tx) => {
      await tx.query("SET LOCAL lock_timeout = '20ms'");
      return await once(tx, key, now, async () => 'again');
    });
    await expect(impatient)
      .rejects.toMatchObject({ row: kitErrors.idempotency_in_use })
      .finally(finish.resolve);
    await first;
  });

  async function waitingForLock(): Promise<void> {
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await db.query(waiting)).rowCount).toBe(1);
  }
});

describe('a key whose effect ends later', () => {
  const claim = (key: IdempotencyKey) =>
    transaction(db, async (tx) => (await claimKeys(tx, [{ key, response: null }], now))[0]);

  test('is in use until it is completed, and then replays', async () => {
    const key = keyFor('{}');
    expect(await claim(key)).toBe('new');
    expect(await claim(key)).toMatchObject({ row: kitErrors.idempotency_in_use });
    expect(await findReplay(db, key)).toEqual({ replay: null });
    await transaction(db, (tx) => completeKeys(tx, [{ ...key, body: 'done' }]));
    expect(await claim(key)).toEqual({ replay: 'done' });
    expect(await findReplay(db, key)).toEqual({ replay: 'done' });
  });

  test('is free again once it was released', async () => {
    const key = keyFor('{}');
    await claim(key);
    await transaction(db, (tx) => releaseKeys(tx, [key]));
    expect(await claim(key)).toBe('new');
  });
});

describe('a refusal of a request whose key was used before', () => {
  const refusal = async (): Promise<never> => {
    throw refuse(kitErrors.field_invalid, { field: 'amount', why: 'is odd' });
  };

  test('is replaced by the stored body', async () => {
    const key = keyFor('{}');
    await transaction(db, (tx) => once(tx, key, now, async () => 'done'));
    expect(await replayOr(db, key, refusal)).toEqual({ body: 'done', replayed: true });
  });

  test('is replaced by the refusal that the request was another', async () => {
    await transaction(db, (tx) => once(tx, keyFor('{"a":1}', 'first'), now, async () => 'done'));
    await expect(replayOr(db, keyFor('{"a":2}', 'first'), refusal)).rejects.toMatchObject({
      row: kitErrors.idempotency_mismatch,
    });
  });

  test('stays when the key is new, absent or still in use', async () => {
    const pending = keyFor('{}');
    await transaction(db, (tx) => claimKeys(tx, [{ key: pending, response: null }], now));
    for (const key of [keyFor('{}'), null, pending]) {
      await expect(replayOr(db, key, refusal)).rejects.toMatchObject({ row: kitErrors.field_invalid });
    }
  });

  test('is looked up only for a refusal: other errors stay as they are', async () => {
    const key = keyFor('{}');
    await transaction(db, (tx) => once(tx, key, now, async () => 'done'));
    const broken = replayOr(db, key, async () => {
      throw new Error('broken');
    });
    await expect(broken).rejects.not.toBeInstanceOf(Refusal);
  });
});

describe('keys are deleted', () => {
  const hours = (count: number): Date => new Date(now.getTime() + count * 3_600_000);

  test('by their age', async () => {
    const [old, young] = [keyFor('{}'), keyFor('{}')];
    await transaction(db, (tx) => once(tx, old, hours(-49), async () => 'done'));
    await transaction(db, (tx) => once(tx, young, hours(-24), async () => 'done'));
    expect(await forgetKeys(db, hours(-24))).toBe(1);
    expect(await findReplay(db, old)).toBeNull();
    expect(await findReplay(db, young)).toEqual({ replay: 'done' });
  });

  test('all of them, also when they are more than one statement deletes; what another transaction holds is left', async () => {
    const keys = Array.from({ length: 5 }, () => keyFor('{}'));
    for (const key of keys) await transaction(db, (tx) => once(tx, key, hours(-49), async () => 'done'));
    await transaction(db, async (tx) => {
      await tx.query('SELECT FROM idempotency_keys WHERE scope = $1 AND key = $2 FOR UPDATE', [
        keys[4]?.scope,
        keys[4]?.key,
      ]);
      expect(await forgetKeys(db, hours(-24), 2)).toBe(4);
    });
    expect(await forgetKeys(db, hours(-24), 2)).toBe(1);
  });

  test('never while their write has not ended', async () => {
    const key = keyFor('{}');
    await transaction(db, (tx) => claimKeys(tx, [{ key, response: null }], hours(-49)));
    await forgetKeys(db, hours(-24));
    expect(await findReplay(db, key)).toEqual({ replay: null });
  });
});
