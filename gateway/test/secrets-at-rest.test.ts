import { createECDH, randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { mailAskedResets } from '../src/identity/accounts/asked-resets.ts';
import { transaction } from '../src/kit/db/db.ts';
import { newId } from '../src/kit/ids.ts';
import { sealedColumns } from '../src/operations/sealed-columns.ts';
import { makeRecoveryCodes, startFactor } from '../src/wallets/accounts/factors.ts';
import { totpCode } from './browser/totp.ts';
import { openConsole } from './support/console.ts';
import { testSeal } from './support/database.ts';
import { seedUser } from './support/fixtures.ts';
import { createVisitor, goodPassword, seedAccount, signedIn } from './support/identity-fixtures.ts';
import { outbox } from './support/mailbox.ts';
import { startApp } from './support/running.ts';

// Nobody listens there: nothing is asked of Telegram before somebody has a code.
const telegram = { TELEGRAM_BOT_TOKEN: `1:${'t'.repeat(35)}`, TELEGRAM_API_URL: 'http://127.0.0.1:9' };
const app = await startApp({ env: telegram });
const people = await openConsole(app);
const headerValue = 'Basic b3Blbi1zZXNhbWU';

/** Every secret that was shown, taken or mailed below, by what it is. */
const secrets = new Map<string, string>();

type Made = { id: string; secret: string };

async function makeWebhooks(): Promise<void> {
  const owner = await people.as('owner');
  const body = {
    url: 'http://127.0.0.1:4998/hooks',
    events: ['payment_completed'],
    headers: [{ name: 'Authorization', value: headerValue }],
  };
  const made = (await owner<Made>('POST', `${people.test}/webhooks`, { body })).body.data;
  const roll = { body: { overlap_seconds: 3600 } };
  const rolled = await owner<Made>('POST', `${people.test}/webhooks/${made.id}/roll`, roll);
  expect(rolled.status).toBe(200);
  secrets.set('header value', headerValue);
  secrets.set('webhook secret', rolled.body.data.secret.slice('whsec_'.length));
  secrets.set('old webhook secret', made.secret.slice('whsec_'.length));
}

async function makeKeys(): Promise<void> {
  const owner = await people.as('owner');
  const body = { name: 'A till', actions: ['read payments'] };
  const answer = await owner<{ secret_key: string }>('POST', `${people.test}/keys`, { body });
  expect(answer.status).toBe(200);
  secrets.set('restricted key', answer.body.data.secret_key);
  secrets.set('signing key of test mode', app.secretKey);
  secrets.set('signing key of live mode', app.liveSecretKey);
}

async function makePerson(): Promise<void> {
  const { email } = await seedAccount(app.db);
  const who = await signedIn(app.baseUrl, email);
  const { data } = await who.send('POST', '/account/two-factor', { password: goodPassword });
  const { totp_uri, recovery_codes } = data as { totp_uri: string; recovery_codes: string[] };
  const code = totpCode(totp_uri);
  expect((await who.send('POST', '/account/two-factor/confirm', { code })).status).toBe(200);
  secrets.set('seed of an authenticator app', new URL(totp_uri).searchParams.get('secret') ?? '');
  for (const [index, each] of recovery_codes.entries()) secrets.set(`recovery code ${index}`, each);
  const [session = ''] = [...who.cookies.values()];
  secrets.set('session', decodeURIComponent(session).split('.')[0] ?? '');
  secrets.set('password', goodPassword);
  await createVisitor(app.baseUrl).send('POST', '/auth/password/forgotten', { email });
}

async function makeMails(): Promise<void> {
  const owner = await people.as('owner');
  const body = { email: 'new@example.com', role: 'support' };
  expect((await owner('POST', `${people.merchant}/invitations`, { body })).status).toBe(200);
  await mailAskedResets(app.db, app.baseUrl);
  const linkIn = async (link: RegExp) =>
    link.exec((await outbox(app.db)).map(({ text }) => text).join('\n'))?.[1] ?? '';
  // The gateway's own loop may be writing the letter just now.
  const token = async (link: RegExp) =>
    await vi.waitUntil(() => linkIn(link), { timeout: 300_000, interval: 50 });
  secrets.set('link of an invitation', await token(/\/app\/invitation\/(\S+)/));
  secrets.set('link of a new password', await token(/\/app\/reset-password\?token=(\S+)/));
}

async function makeNotices(): Promise<void> {
  const owner = await people.as('owner');
  expect((await owner('GET', '/console/account/notices/push-key')).status).toBe(200);
  const auth = randomBytes(16).toString('base64url');
  const endpoint = `https://push.example/${randomBytes(16).toString('base64url')}`;
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const body = { label: 'A phone', endpoint, p256dh, auth };
  expect((await owner('POST', '/console/account/notices/devices', { body })).status).toBe(200);
  secrets.set('where to push', endpoint);
  secrets.set('key of a push', auth);
  const { body: made } = await owner<{ code: string }>('POST', '/console/account/notices/telegram-code');
  secrets.set('code of a chat', made.data.code);
}

async function makeWallet(): Promise<void> {
  const now = new Date();
  const userId = await seedUser(app.db, 'ada', goodPassword);
  const secret = await startFactor(app.db, testSeal, { id: newId(), user: { id: userId } }, now);
  secrets.set("seed of a user's app", secret.toString('latin1'));
  const codes = await transaction(app.db, (tx) => makeRecoveryCodes(tx, userId));
  for (const [index, each] of codes.entries()) secrets.set(`recovery code ${index} of a user`, each);
}

await makeWallet();
await makeWebhooks();
await makeKeys();
await makePerson();
await makeMails();
await makeNotices();

/** Every row of every table as text, in which bytes are hexadecimal. */
async function everyRow(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await app.db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const found: { table: string; row: string }[] = [];
  for (const { name } of tables) {
    const { rows } = await app.db.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
    for (const { row } of rows) found.push({ table: name, row });
  }
  return found;
}

test('no table holds a secret that can be read: not as it is, in hexadecimal, or in base64', async () => {
  const rows = await everyRow();
  expect(rows.length).toBeGreaterThan(50);
  for (const [what, secret] of secrets) {
    expect(secret.length, what).toBeGreaterThan(7);
    const bytes = Buffer.from(secret);
    // Of base64 the middle, which is the same wherever the secret begins within three bytes.
    const forms = [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
    const decoded = Buffer.from(secret, 'base64').toString('hex');
    if (decoded.length > 32) forms.push(decoded);
    for (const { table, row } of rows) {
      for (const form of forms) expect(row.includes(form), `${what} in ${table}`).toBe(false);
    }
  }
});

test('every sealed column holds a value of the envelope here, and the database checks what is written there', async () => {
  const { rows } = await app.db.query<{ table: string; column: string }>(
    `SELECT tgrelid::regclass::text AS table, convert_from(substring(tgargs FROM 1 FOR length(tgargs) - 1), 'UTF8') AS column
     FROM pg_trigger WHERE tgfoid = 'assert_master_key'::regproc`,
  );
  const names = (of: readonly { table: string; column: string }[]) =>
    of.map(({ table, column }) => `${table}.${column}`).sort();
  expect(names(rows)).toEqual(names(sealedColumns));
  // This gateway was given its seal, so that it made no key of its own.
  for (const { table, column } of sealedColumns.filter((each) => each.table !== 'derived_keys')) {
    const kept = await app.db.query(`SELECT FROM ${table} WHERE get_byte(${column}, 0) = 1`);
    expect(kept.rowCount, `${table}.${column}`).toBeGreaterThan(0);
  }
});

/** Columns whose name sounds like a secret, and why they are none. */
const readable: Record<string, string> = {
  'account_links.token_hash': 'a hash of 190 random bits',
  'api_requests.response_body': 'a call that the request log notes, without secrets',
  'credentials.password_hash': 'a slow hash',
  'delivery_attempts.response': 'what a receiver answered, without the values of hidden headers',
  'delivery_attempts.response_headers': 'the same',
  'direct_refunds.proof_signature': 'a signature that the customer gave, of a text that names the refund',
  'direct_refunds.proof_statement': 'that text',
  'direct_refunds.token': 'an address',
  'evm_attempts.signed': 'a transaction as it is sent to everybody',
  'evm_openings.token': 'the address of a contract, as in the next ones',
  'evm_other_coins.token': 'an address',
  'evm_payouts.token': 'an address',
  'evm_sweep_faults.token': 'an address',
  'evm_transactions.token': 'an address',
  'evm_transfers.token': 'an address',
  'evm_vault_events.token': 'an address',
  'gateway_processes.sealing_key': 'the id of a key',
  'idempotency_keys.response': 'an answer that was sent; secrets join it when it is sent',
  'integrations.domain_token': 'is published in the DNS',
  'integrations.page_domain_token': 'is published in the DNS',
  'invitations.token_hash': 'a hash of 190 random bits',
  'master_key_check.sealed': 'the word florin, sealed',
  'master_keys.proof': 'the word florin, sealed',
  'notice_codes.code_hash': 'a hash of 100 random bits',
  'passkeys.credential_id': 'the public name of a passkey',
  'payment_links.code': 'stands in the address of the link, which the merchant gives away',
  'payment_refunds.proof_signature': 'a signature that the customer gave, of a text that names the refund',
  'payment_refunds.proof_statement': 'that text',
  'payments.asset_codes': 'the names of assets that pay it',
  'payments.token': 'stands in the link of a payment, which the merchant reads again in each info',
  'pi_accounts.fault_code': 'an error',
  'pi_accounts.passphrase': 'the public name of a network',
  'pi_envelopes.envelope': 'a transaction as it is sent to everybody',
  'pi_envelopes.passphrase': 'the public name of a network',
  'pi_senders.passphrase': 'the public name of a network',
  'pi_sends.passphrase': 'the public name of a network',
  'proofs.seed': 'hides balances that stand beside it from readers of statements',
  'remote_fundings.response': 'the answer of a wallet backend to a funding',
  'sessions.token': 'a hash of 190 random bits',
  'setup_links.token_hash': 'a hash of 256 random bits',
  'setup_steps.code_hash': 'a hash of a code that opens nothing',
  'two_factors.used_codes': 'codes of the last two minutes that are void',
  'user_passkeys.credential_id': 'the public name of a passkey',
  'user_recovery_codes.code_hash': 'a hash of 80 random bits',
  'user_sessions.token': 'a hash of random bits',
  'user_tokens.token_hash': 'a hash of random bits',
  'user_tokens.value': 'a mail address or a challenge, under a hash of what names it',
  'users.password_hash': 'a slow hash',
  'users.value_currency': 'the currency in which amounts are shown',
  'verifications.value': 'account or challenge of one step of a sign-in, under a hash of what names the step',
  'wallet_invitations.code_hash': 'a hash of random bits',
};
const suspicious =
  /secret|token|passw|passphrase|code|seal|letter|cookie|credential|private|seed|proof|signed|envelope|value|response/;

test('every other column whose name sounds like a secret is known to hold none', async () => {
  const { rows } = await app.db.query<{ name: string; column: string }>(
    `SELECT c.relname || '.' || a.attname AS name, a.attname AS column
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND t.typname IN ('text', '_text', 'bytea', 'json', 'jsonb', 'varchar', '_bytea') ORDER BY 1`,
  );
  const sealed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
  const found = rows.filter(({ name, column }) => suspicious.test(column) && !sealed.has(name));
  expect(found.map(({ name }) => name)).toEqual(Object.keys(readable).sort());
});
