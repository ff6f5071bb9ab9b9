import { expect, test } from 'vitest';
import { type CreatedPayment, createApi, submitForm } from '../../../test/support/api.ts';
import { openConsole, password } from '../../../test/support/console.ts';
import { seedUser } from '../../../test/support/fixtures.ts';
import { waitingMails } from '../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { after } from '../../kit/clock.ts';
import { newId } from '../../kit/ids.ts';
import { mailSecurityAlerts } from '../mail/security-alerts.ts';

type Entry = {
  action: string;
  actor: { kind: string; name: string; address: string };
  after: { times: number; detail?: string } | null;
};

/** What happened is written every few seconds. */
const waits = { timeout: 120_000, interval: 250 };

const app = await startApp({ env: { RATE_LIMIT: '1' } });
const people = await openConsole(app);

const entriesOf = async (person: 'owner' | 'operator' | 'developer', path: string) => {
  const read = await people.as(person);
  return (await read<{ items: Entry[] }>('GET', `${path}?about=security`)).body.data.items;
};
/** The entry with this act, once it was written. */
async function entry(
  person: 'owner' | 'operator' | 'developer',
  path: string,
  action: string,
): Promise<Entry> {
  const find = async () => (await entriesOf(person, path)).find((each) => each.action === action);
  await expect.poll(find, waits).toBeDefined();
  return (await find())!;
}
const signIn = (email: string, secret: string) =>
  fetch(`${app.baseUrl}/console/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.baseUrl },
    body: JSON.stringify({ email, password: secret }),
  });

test('a failed sign-in is shown to the owner of the account and to operators, without what was tried', async () => {
  await people.as('developer');
  const { rows } = await app.db.query<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
    people.accountId('developer'),
  ]);
  const email = rows[0]!.email;
  expect((await signIn(email, 'secret-guess-1')).status).toBe(401);
  expect((await signIn('my-own-password@example.com', 'secret-guess-2')).status).toBe(401);
  const own = await entry('developer', '/console/account/activity', 'failed to sign in');
  expect(own).toMatchObject({
    actor: { kind: 'stranger', name: email, address: '127.0.0.1' },
    after: { times: 1, detail: 'password' },
  });
  const failed = async () => {
    const all = await entriesOf('operator', '/console/operator/audit');
    const failures = all.filter(({ action }) => action === 'failed to sign in');
    return failures.map(({ actor }) => actor.name).sort();
  };
  // The second may be written some seconds after the first.
  await expect.poll(failed, waits).toEqual(['somebody', email].sort());
  const kept = await app.db.query('SELECT to_jsonb(e)::text AS text FROM security_events e');
  expect(JSON.stringify(kept.rows)).not.toMatch(/secret-guess|my-own-password/);
});

test('a new device, a confirmation and a failed one are noted', async () => {
  const owner = await people.as('owner');
  await owner('POST', '/console/account/confirm', { body: { password: 'wrong' } });
  await owner('POST', '/console/account/confirm', { body: { password } });
  for (const action of [
    'signed in from a new device',
    'failed to confirm who they are',
    'confirmed who they are',
  ]) {
    expect(await entry('owner', '/console/account/activity', action)).toMatchObject({
      actor: { kind: 'account' },
    });
  }
});

test('a refusal for lack of rights is shown to the business that it was asked of', async () => {
  const developer = await people.as('developer');
  const body = { name: 'Till', actions: ['fund users'] };
  expect((await developer('POST', `${people.test}/keys`, { body })).status).toBe(403);
  const refused = 'was refused for lack of rights';
  expect(await entry('owner', `${people.merchant}/audit`, refused)).toMatchObject({
    after: { detail: 'role' },
  });
});

test('asking for what is not theirs is shown to operators', async () => {
  const owner = await people.as('owner');
  for (const path of [`integrations/${newId()}`, `merchants/${newId()}`]) {
    expect((await owner('GET', `/console/${path}`)).status).toBe(404);
  }
  await expect
    .poll(
      async () => (await entriesOf('operator', '/console/operator/audit')).map(({ after }) => after?.detail),
      waits,
    )
    .toContain('not theirs');
});

test('what a key may not do, unknown keys and keys that were made are noted', async () => {
  const owner = await people.as('owner');
  const body = { name: 'Reader', actions: ['read payments'] };
  const made = await owner<{ secret_key: string }>('POST', `${people.test}/keys`, { body });
  expect((await createApi(app.baseUrl, made.body.data.secret_key)('GET', '/balances')).status).toBe(403);
  expect((await createApi(app.baseUrl, `sk_test_${'x'.repeat(32)}`)('GET', '/balances')).status).toBe(401);
  const log = `${people.merchant}/audit`;
  await expect
    .poll(async () => (await entriesOf('owner', log)).filter(({ actor }) => actor.kind === 'key'), waits)
    .toMatchObject([{ action: 'was refused for lack of rights', after: { detail: 'call of a key' } }]);
  expect((await entriesOf('owner', log)).map(({ action }) => action)).toContain('made a key');
  const unknown = await entry('operator', '/console/operator/audit', 'used an unknown key');
  expect(unknown.actor.kind).toBe('stranger');
});

test('failures at a wallet, and limits that were reached, are noted', async () => {
  await seedUser(app.db, 'ada', password);
  const payment = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body: payment });
  const page = made.body.data.PaymentURL;
  // At once: on a busy machine one after the other would take so long that a try comes back.
  const guess = () => submitForm(page, 'wallet', { username: 'ada', password: 'guess' });
  await Promise.all(Array.from({ length: 11 }, guess));
  const log = '/console/operator/audit';
  const find = async (action: string) =>
    (await entriesOf('operator', log)).find(
      (each) => each.action === action && each.after?.detail === 'wallet',
    );
  await expect.poll(() => find('reached a limit'), waits).toBeDefined();
  const failures = (await entriesOf('operator', log)).filter(({ after: what }) => what?.detail === 'wallet');
  const times = failures
    .filter(({ action }) => action === 'failed to sign in')
    .reduce((sum, { after: what }) => sum + what!.times, 0);
  expect(times).toBe(10);
});

test('operators get one mail of what is chosen, every quarter of an hour at most', async () => {
  await people.as('operator');
  const mails = async () =>
    (await waitingMails(app.db, 'operator@example.com')).filter(({ subject }) =>
      subject.startsWith('Security'),
    );
  const terms = { kinds: ['keys', 'failures'], baseUrl: app.baseUrl } as const;
  const later = (minutes: number) => after(new Date(), minutes * 60);
  await mailSecurityAlerts(app.db, { ...terms, kinds: [] }, later(3));
  expect(await mails()).toHaveLength(0);
  await mailSecurityAlerts(app.db, terms, later(3));
  const [mail] = await mails();
  expect(mail!.source).toContain('made a key');
  expect(mail!.source).toContain('failed to sign in');
  expect(mail!.source).not.toContain('confirmed who they are');
  await mailSecurityAlerts(app.db, terms, later(4));
  await mailSecurityAlerts(app.db, terms, later(20));
  expect(await mails()).toHaveLength(1);
});
