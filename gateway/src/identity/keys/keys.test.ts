import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  type SeededIntegration,
  seedIntegration,
  testClock,
  testSeal,
} from '../../../test/support/fixtures.ts';
import { after } from '../../kit/clock.ts';
import { openDatabase, transaction } from '../../kit/db/db.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { createKeyLookup, createSigningKey, openKey, ownerName, signingSecrets } from './keys.ts';

const clock = testClock();
let shop: SeededIntegration;
const { db } = await testDatabase();
const findKey = createKeyLookup(db, clock.now);
beforeEach(async () => {
  shop = await seedIntegration(db, testSeal, { approved: true }, clock.now());
});

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

async function endKey(secret: string, until: Date): Promise<void> {
  await db.query('UPDATE api_keys SET valid_until = $2 WHERE hash = $1', [hashOf(secret), until]);
}

async function rollKey(mode: 'test' | 'live', now: Date): Promise<string> {
  const owner = { integrationId: shop.integrationId, mode };
  return await transaction(db, (tx) => createSigningKey(tx, testSeal, owner, now));
}

describe('a new key', () => {
  test('begins with its mode and ends in 32 random characters', () => {
    expect(shop.secretKey).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
    expect(shop.liveSecretKey).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
  });

  test('is stored as a hash, sealed and as a hint, but not in plain text', async () => {
    const { rows } = await db.query('SELECT * FROM api_keys WHERE hash = $1', [hashOf(shop.secretKey)]);
    expect(rows).toMatchObject([{ hint: shop.secretKey.slice(-4), mode: 'test', kind: 'signing' }]);
    expect(openKey(testSeal, rows[0])).toBe(shop.secretKey);
    const { rows: dump } = await db.query<{ text: string }>('SELECT api_keys::text AS text FROM api_keys');
    for (const { text } of dump) expect(text).not.toContain(shop.secretKey.slice(8));
  });
});

describe('a lookup', () => {
  test('finds the key, its mode and its integration', async () => {
    expect(await findKey(shop.secretKey)).toMatchObject({
      mode: 'test',
      allowedActions: null,
      allowedAddresses: null,
      integration: { id: shop.integrationId, approval: 'approved', fee: { bps: 100 }, testClockSeconds: 0 },
    });
    expect(await findKey(shop.liveSecretKey)).toMatchObject({ mode: 'live' });
  });

  test.each<[string, (secret: string) => string]>([
    ['is unknown', () => `sk_test_${randomBase62(32)}`],
    ['has the prefix of the other mode', (secret) => secret.replace('test', 'live')],
    ['has another prefix', (secret) => secret.replace('sk', 'pk')],
    ['has no prefix', (secret) => secret.slice(8)],
    ['is cut short', (secret) => secret.slice(0, -1)],
    ['is too long', (secret) => `${secret}0`],
    ['differs in case', (secret) => secret.toUpperCase()],
    ['ends in a line break', (secret) => `${secret}\n`],
    ['is empty', () => ''],
  ])('finds nothing for a secret that %s', async (_, change) => {
    expect(await findKey(change(shop.secretKey))).toBeNull();
  });

  test('finds a rolled key until its overlap ends, and not a moment longer', async () => {
    const fresh = await rollKey('test', clock.now());
    await endKey(shop.secretKey, after(clock.now(), 3600));
    expect(await findKey(shop.secretKey)).not.toBeNull();
    clock.advance(3599);
    expect(await findKey(shop.secretKey)).not.toBeNull();
    clock.advance(1);
    expect(await findKey(shop.secretKey)).toBeNull();
    expect(await findKey(fresh)).not.toBeNull();
  });

  test('sees a revocation by another process on the next request', async () => {
    expect(await findKey(shop.secretKey)).not.toBeNull();
    await endKey(shop.secretKey, clock.now());
    expect(await findKey(shop.secretKey)).toBeNull();
    expect(await findKey(shop.liveSecretKey)).not.toBeNull();
  });

  test('gives each of many that come together its own key', async () => {
    const other = await seedIntegration(db);
    const secrets = [shop.secretKey, other.secretKey, `sk_test_${randomBase62(32)}`, shop.secretKey];
    const found = await Promise.all(secrets.map((secret) => findKey(secret)));
    expect(found.map((key) => key?.integration.id)).toEqual([
      shop.integrationId,
      other.integrationId,
      undefined,
      shop.integrationId,
    ]);
  });

  test('without a database fails as such, not as an unknown key', async () => {
    const nowhere = openDatabase({ host: '/nowhere' }, 1);
    await expect(createKeyLookup(nowhere, clock.now)(shop.secretKey)).rejects.toThrow('ENOENT');
    await nowhere.end();
  });
});

// The database's clock decides which key signs.
describe('the secret that signs webhooks', () => {
  const signing = async (mode: 'test' | 'live' = 'test') => {
    const owner = { integrationId: shop.integrationId, mode };
    return (await signingSecrets(db, testSeal, [owner])).get(ownerName(owner)) ?? null;
  };

  test("is the mode's own", async () => {
    expect(await signing('test')).toBe(shop.secretKey);
    expect(await signing('live')).toBe(shop.liveSecretKey);
  });

  test('stays the old one while a key is being rolled, and becomes the new one when the overlap ends', async () => {
    const now = new Date();
    const fresh = await rollKey('test', now);
    await endKey(shop.secretKey, after(now, 3600));
    expect(await signing()).toBe(shop.secretKey);
    await endKey(shop.secretKey, after(now, -1));
    expect(await signing()).toBe(fresh);
    expect(await signing('live')).toBe(shop.liveSecretKey);
  });

  test('is none when every key was revoked', async () => {
    await endKey(shop.secretKey, after(new Date(), -1));
    expect(await signing()).toBeNull();
  });

  test('is never a restricted key', async () => {
    const restricted = `sk_test_${randomBase62(32)}`;
    await db.query(
      `INSERT INTO api_keys (id, integration_id, mode, kind, hash, hint, created_at)
       VALUES (gen_random_uuid(), $1, 'test', 'restricted', $2, 'hint', '2020-01-01')`,
      [shop.integrationId, hashOf(restricted)],
    );
    expect(await findKey(restricted)).not.toBeNull();
    expect(await signing()).toBe(shop.secretKey);
  });
});
