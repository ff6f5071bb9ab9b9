import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { type SeededIntegration, seedIntegration, testSeal } from '../../../test/support/fixtures.ts';
import { after } from '../../kit/clock.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import type { Mode } from '../integration.ts';
import {
  createFirstSigningKey,
  createRestrictedKey,
  type Restrictions,
  revokeKey,
  rollKey,
  switchSigning,
} from './key-changes.ts';
import { listKeys } from './key-list.ts';
import { createKeyUses } from './key-uses.ts';
import { createKeyLookup, ownerName, signingSecrets } from './keys.ts';

// The database's clock decides which key signs, so these tests use the real time.
const start = new Date();
let time = start;
let shop: SeededIntegration;
const { db } = await testDatabase();
const findKey = createKeyLookup(db, () => time);
beforeEach(async () => {
  time = start;
  shop = await seedIntegration(db, testSeal, {}, after(start, -3600));
});

const write = <T>(work: (tx: Tx) => Promise<T>) => transaction(db, work);
const owner = (mode: Mode = 'test') => ({ integrationId: shop.integrationId, mode });
const keys = async (mode?: Mode) => await listKeys(db, owner(mode), { before: null, limit: 100 }, time);
const signingKey = async () => (await keys()).find(({ kind }) => kind === 'signing')!;
const signer = async () => (await signingSecrets(db, testSeal, [owner()])).get(ownerName(owner()));
const roll = (keyId: string, overlapSeconds: number) =>
  write((tx) => rollKey(tx, testSeal, { ...owner(), keyId, overlapSeconds, madeBy: null }, time));
const restrict = (restrictions: Partial<Restrictions> = {}) =>
  write((tx) =>
    createRestrictedKey(
      tx,
      testSeal,
      { ...owner(), name: 'Till', actions: null, addresses: null, dailyLimits: null, ...restrictions },
      time,
    ),
  );

describe('rolling a key', () => {
  test('keeps both valid during the overlap, and only the new one after it', async () => {
    const { secret } = await roll((await signingKey()).id, 3600);
    expect(await findKey(shop.secretKey)).not.toBeNull();
    expect(await findKey(secret)).not.toBeNull();
    time = after(start, 3600);
    expect(await findKey(shop.secretKey)).toBeNull();
    expect(await findKey(secret)).not.toBeNull();
  });

  test('at once ends the old one at once, for calls and for webhooks', async () => {
    // A gateway whose clock is ahead of the database's.
    time = after(start, 3600);
    const { secret } = await roll((await signingKey()).id, 0);
    expect(await findKey(shop.secretKey)).toBeNull();
    expect(await signer()).toBe(secret);
  });

  test('lets the old one sign webhooks until its owner switches', async () => {
    const { secret } = await roll((await signingKey()).id, 3600);
    expect(await signer()).toBe(shop.secretKey);
    await write((tx) => switchSigning(tx, owner(), time));
    expect(await signer()).toBe(secret);
    expect(await findKey(shop.secretKey)).not.toBeNull();
    await expect(write((tx) => switchSigning(tx, owner(), time))).rejects.toThrow('No signing key is being');
  });

  test('gives the new key the same restrictions and the same daily limits', async () => {
    const restrictions = { actions: ['fund users'], addresses: ['192.0.2.1'], dailyLimits: { pi: '5' } };
    const old = await restrict(restrictions);
    const { secret } = await roll(old.id, 3600);
    expect(await findKey(secret)).toMatchObject({
      allowedActions: ['fund users'],
      allowedAddresses: ['192.0.2.1'],
      allowance: { id: old.id, limits: { pi: '5' } },
    });
  });

  test('that ends by itself makes one that ends then too, and never lets the old one live longer', async () => {
    const endsAt = after(start, 3600);
    const { id, secret } = await restrict({ endsAt });
    const next = await roll(id, 2 * 3600);
    expect(next.oldValidUntil).toEqual(endsAt);
    await expect(roll(id, 0)).rejects.toThrow('This key was rolled or revoked already');
    time = after(start, 3599);
    expect(await findKey(secret)).not.toBeNull();
    expect(await findKey(next.secret)).not.toBeNull();
    time = endsAt;
    expect(await findKey(secret)).toBeNull();
    expect(await findKey(next.secret)).toBeNull();
    await expect(roll(next.id, 0)).rejects.toThrow('This key was rolled or revoked already');
  });

  test('twice at once makes one new key', async () => {
    const { id } = await signingKey();
    const rolls = await Promise.allSettled([roll(id, 60), roll(id, 60), roll(id, 60)]);
    expect(rolls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await keys()).toHaveLength(2);
  });

  test("does not reach another mode's or another integration's key", async () => {
    const [live] = await keys('live');
    const other = await seedIntegration(db);
    const [foreign] = await listKeys(
      db,
      { integrationId: other.integrationId, mode: 'test' },
      { before: null, limit: 1 },
      time,
    );
    for (const id of [live!.id, foreign!.id]) await expect(roll(id, 0)).rejects.toThrow('Not found');
  });
});

describe('a signing key that is rolled again before the first overlap has ended', () => {
  const switchOver = (mode?: Mode) => write((tx) => switchSigning(tx, owner(mode), time));
  // The database's clock decides which key signs, so the tests move the end instead of the time.
  const end = (secret: string) =>
    db.query(
      `UPDATE api_keys SET valid_until = now() WHERE mode = 'test' AND integration_id = $1 AND hint = $2`,
      [shop.integrationId, secret.slice(-4)],
    );

  test('lets the oldest valid one sign, then the next', async () => {
    const second = await roll((await signingKey()).id, 7200);
    const third = await roll(second.id, 3600);
    expect(await signer()).toBe(shop.secretKey);
    await end(shop.secretKey);
    expect(await signer()).toBe(second.secret);
    await end(second.secret);
    expect(await signer()).toBe(third.secret);
  });

  test('gives no key more time than before', async () => {
    const first = await signingKey();
    const second = await roll(first.id, 3600);
    await roll(second.id, 7 * 86_400);
    expect((await keys()).find(({ id }) => id === first.id)!.valid_until).toEqual(after(time, 3600));
    await expect(roll(first.id, 7 * 86_400)).rejects.toThrow('already');
  });

  test('signs with the key that follows when one is revoked early', async () => {
    const first = await signingKey();
    const second = await roll(first.id, 3600);
    const third = await roll(second.id, 3600);
    await write((tx) => revokeKey(tx, owner(), second.id, time));
    expect(await signer()).toBe(shop.secretKey);
    await write((tx) => revokeKey(tx, owner(), first.id, time));
    expect(await signer()).toBe(third.secret);
  });

  test('no longer signs after its owner switched, and the next one has an overlap of its own', async () => {
    const second = await roll((await signingKey()).id, 3600);
    await switchOver();
    const third = await roll(second.id, 3600);
    expect(await signer()).toBe(second.secret);
    await switchOver();
    expect(await signer()).toBe(third.secret);
  });

  test('is replaced even by a key from a gateway whose clock is behind', async () => {
    time = after(start, -7200);
    const { secret } = await roll((await signingKey()).id, 10_800);
    expect(await signer()).toBe(shop.secretKey);
    expect((await keys()).filter(({ signing }) => signing).map(({ hint }) => hint.slice(-4))).toEqual([
      shop.secretKey.slice(-4),
    ]);
    await switchOver();
    expect(await signer()).toBe(secret);
  });

  test('does not change the other mode', async () => {
    await roll((await signingKey()).id, 3600);
    await expect(switchOver('live')).rejects.toThrow('No signing key is being rolled');
    await switchOver();
    const live = await signingSecrets(db, testSeal, [owner('live')]);
    expect(live.get(ownerName(owner('live')))).toBe(shop.liveSecretKey);
  });
});

describe('revoking a key', () => {
  test('ends a restricted key with the next request', async () => {
    const { id, secret } = await restrict();
    expect(await findKey(secret)).not.toBeNull();
    await write((tx) => revokeKey(tx, owner(), id, time));
    expect(await findKey(secret)).toBeNull();
    expect(await keys()).toMatchObject([
      { id, good: false },
      { kind: 'signing', good: true },
    ]);
    await expect(write((tx) => revokeKey(tx, owner(), id, time))).rejects.toThrow('already');
  });

  test('ends an overlap early, but never the key that webhooks are signed with', async () => {
    const { id } = await signingKey();
    const revoke = () => write((tx) => revokeKey(tx, owner(), id, time));
    await expect(revoke()).rejects.toThrow('Webhooks are signed with this key');
    await roll(id, 3600);
    await revoke();
    expect(await findKey(shop.secretKey)).toBeNull();
  });
});

describe('making keys', () => {
  test('makes one signing key for each mode', async () => {
    await expect(write((tx) => createFirstSigningKey(tx, testSeal, owner('live'), time))).rejects.toThrow(
      'There is a signing key already',
    );
    await db.query('UPDATE api_keys SET valid_until = $2 WHERE integration_id = $1', [
      shop.integrationId,
      after(start, -1),
    ]);
    const secret = await write((tx) => createFirstSigningKey(tx, testSeal, owner('live'), time));
    expect(await findKey(secret)).toMatchObject({ mode: 'live', allowance: null });
  });

  test('is refused after 50 valid keys', async () => {
    const made = await Promise.allSettled(Array.from({ length: 52 }, () => restrict()));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(49);
    expect(await keys()).toHaveLength(50);
  });
});

describe('the list of keys', () => {
  test('shows the restrictions of a key and which one signs, but no secret', async () => {
    await restrict({ name: 'Till', addresses: ['192.0.2.0/24'] });
    const listed = await keys();
    expect(listed).toMatchObject([
      { kind: 'restricted', name: 'Till', addresses: ['192.0.2.0/24'], signing: false },
      { kind: 'signing', signing: true, hint: `sk_test_…${shop.secretKey.slice(-4)}`, last_used_at: null },
    ]);
    expect(JSON.stringify(listed)).not.toContain(shop.secretKey.slice(8, 30));
  });

  test('shows when and from where a key was last used, whichever process saw it last', async () => {
    const { id } = await signingKey();
    const [one, other] = [createKeyUses(db, () => time), createKeyUses(db, () => time)];
    time = after(start, 10);
    one.note(id, '192.0.2.1');
    time = after(start, 5);
    other.note(id, '192.0.2.2');
    await one.flush();
    await other.flush();
    await other.flush();
    expect(await signingKey()).toMatchObject({
      last_used_at: after(start, 10),
      last_used_from: '192.0.2.1',
    });
  });
});
