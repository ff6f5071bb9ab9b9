import { createCipheriv, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../test/support/data-dir.ts';
import { emptyDatabase } from '../../test/support/database.ts';
import { outbox } from '../../test/support/mailbox.ts';
import { signingSecrets } from '../identity/keys/keys.ts';
import type { Database } from '../kit/db/db.ts';
import { takeLease } from '../kit/db/lease.ts';
import { migrate, readMigrations } from '../kit/db/migrate.ts';
import { newId } from '../kit/ids.ts';
import { createSeal, deriveFrom, masterKeyOf } from '../kit/seal.ts';
import { openHeaders } from '../webhooks/endpoints/headers.ts';
import { openSigning, signingSecretsSql } from '../webhooks/endpoints/secrets.ts';
import { openSeal } from './master-key.ts';
import { countUses, resealTerms } from './reseal.ts';

const masterKey = randomBytes(32);
const ids = {
  shop: newId(),
  key: newId(),
  endpoint: newId(),
  account: newId(),
  mail: newId(),
  sent: newId(),
};
const many = 250;

const directory = await testFolder();
const file = join(directory, 'master.key');
await writeFile(file, masterKey);
const { db } = await emptyDatabase();
await fillEarlier(db);

/** As values were sealed before the envelope. */
function version0(text: string, key = masterKey): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** A database of the version before the envelope, with secrets of each kind. */
async function fillEarlier(earlier: Database): Promise<void> {
  const migrations = await readMigrations(join(import.meta.dirname, '..'));
  await migrate(
    earlier,
    migrations.filter(({ number }) => number < 215),
  );
  await earlier.query('INSERT INTO master_key_check (sealed) VALUES ($1)', [version0('florin')]);
  await earlier.query(`INSERT INTO integrations (id, name, created_at) VALUES ($1, 'Shop', now())`, [
    ids.shop,
  ]);
  await earlier.query(
    `INSERT INTO api_keys (id, integration_id, mode, kind, hash, hint, sealed, created_at)
     VALUES ($1, $2, 'live', 'signing', 'hash', 'cret', $3, now())`,
    [ids.key, ids.shop, version0('sk_live_secret')],
  );
  await earlier.query(
    `INSERT INTO webhook_endpoints (id, integration_id, mode, url, events, secret, headers)
     VALUES ($1, $2, 'live', 'https://shop.example', '{}', $3, $4)`,
    [ids.endpoint, ids.shop, version0('whsec_new'), version0('[{"name":"X-Token","value":"a token"}]')],
  );
  await earlier.query(`INSERT INTO webhook_old_secrets SELECT $1, $2, now() + interval '1 day'`, [
    ids.endpoint,
    version0('whsec_old'),
  ]);
  await earlier.query(
    `INSERT INTO accounts (id, email, name, created_at, updated_at) VALUES ($1, 'a@b.c', 'A', now(), now())`,
    [ids.account],
  );
  await earlier.query(
    'INSERT INTO two_factors (id, account_id, secret, recovery_codes) VALUES ($1, $1, $2, $3)',
    [ids.account, 'a seed', 'the codes'],
  );
  await earlier.query(
    `INSERT INTO emails (id, recipient, subject, text, html) VALUES ($1, 'a@b.c', 'S', $2, '<p>"é"</p>')`,
    [ids.mail, 'Grüße\n\\x "quoted"'],
  );
  await earlier.query(
    `INSERT INTO emails (id, recipient, subject, sent_at) VALUES ($1, 'a@b.c', 'S', now())`,
    [ids.sent],
  );
  await earlier.query(
    `INSERT INTO emails (id, recipient, subject, text, sent_at)
     SELECT gen_random_uuid(), 'many@b.c', 'S', 'body', now() FROM generate_series(1, $1)`,
    [many],
  );
  await migrate(earlier, migrations);
}

const versions = async () => new Set((await countUses(db, 1)).map(({ header }) => header[0]));

test('a start with another key changes nothing of a database from before the envelope', async () => {
  await expect(openSeal(db, join(directory, 'another.key'))).rejects.toThrow('is not the one that');
  expect(await versions()).toEqual(new Set([0, 255]));
  expect((await db.query('SELECT FROM master_key_check')).rowCount).toBe(1);
});

test('a start that dies in the middle leaves the rest to the next, and two at once seal everything once', async () => {
  let batches = 0;
  const dying = openSeal(db, file, () => {
    batches++;
    if (batches === 7) throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await versions()).toEqual(new Set([1, 255]));
  expect((await db.query('SELECT FROM envelopes')).rowCount).toBe(0);
  let sealed = 0;
  const count = (of: number) => {
    sealed = Math.max(sealed, of);
  };
  const [one, other] = await Promise.all([openSeal(db, file, count), openSeal(db, file, count)]);
  expect(await versions()).toEqual(new Set([1]));
  expect(sealed).toBeLessThan(many);
  expect(one.keys()).toEqual(other.keys());
  expect(one.keys().active).toBe(masterKeyOf(masterKey).id);
});

test('after it every secret is what it was, at its own place', async () => {
  const seal = await openSeal(db, file);
  const signing = await signingSecrets(db, seal, [{ integrationId: ids.shop, mode: 'live' }]);
  expect([...signing.values()]).toEqual(['sk_live_secret']);
  const { rows } = await db.query<{ secrets: Buffer[]; headers: Buffer }>(
    `SELECT ${signingSecretsSql} AS secrets, headers FROM webhook_endpoints w`,
  );
  const [endpoint] = rows;
  expect(openSigning(seal, endpoint!.secrets)).toEqual(['whsec_new', 'whsec_old']);
  expect(openHeaders(seal, ids.endpoint, endpoint!.headers)).toEqual([{ name: 'X-Token', value: 'a token' }]);
  const { rows: factors } = await db.query('SELECT secret, recovery_codes FROM two_factors');
  const at = (column: string) => ({ table: 'two_factors', column, row: ids.account });
  expect(seal.open(factors[0].secret, at('secret'))).toBe('a seed');
  expect(seal.open(factors[0].recovery_codes, at('recovery_codes'))).toBe('the codes');
  expect(await outbox(db)).toEqual([
    { recipient: 'a@b.c', subject: 'S', text: 'Grüße\n\\x "quoted"', html: '<p>"é"</p>' },
  ]);
  const { rows: sent } = await db.query('SELECT letter FROM emails WHERE id = $1', [ids.sent]);
  expect(sent[0].letter).toBeNull();
  expect(() => openSigning(seal, endpoint!.secrets.toReversed())).toThrow();
});

test('people who are signed in stay so: what signs their cookies is the same', async () => {
  const seal = await openSeal(db, file);
  expect(seal.derive('console sessions')).toEqual(deriveFrom(masterKeyOf(masterKey), 'console sessions'));
});

test('later starts look at no value, and wait for nobody', async () => {
  await takeLease(db, resealTerms());
  await openSeal(db, file);
});

test('the database itself takes no value of version 0, in the clear, or of a key that it does not know', async () => {
  const place = { table: 'webhook_endpoints', column: 'secret', row: ids.endpoint };
  const put = (secret: Buffer) => db.query('UPDATE webhook_endpoints SET secret = $1', [secret]);
  const refused = 'is not sealed with a master key that is in use';
  await expect(put(Buffer.concat([Buffer.of(0), version0('x')]))).rejects.toThrow(refused);
  await expect(put(Buffer.from('\xffwhsec_plain', 'latin1'))).rejects.toThrow(refused);
  await expect(put(createSeal(randomBytes(32)).seal('x', place))).rejects.toThrow(refused);
  await put(createSeal(masterKey).seal('x', place));
});
