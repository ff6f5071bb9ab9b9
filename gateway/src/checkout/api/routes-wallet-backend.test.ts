import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { startPayingServer } from '../../../test/remote-wallets/paying-server.ts';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { type CreatedPayment, readPage, submitForm } from '../../../test/support/api.ts';
import { makeDataDir } from '../../../test/support/data-dir.ts';
import { startApp } from '../../../test/support/running.ts';
import { en } from '../messages/en.ts';

const typed = 'secret that nobody keeps';
let page: string;

const backend = await startPayingServer({ jane: { 'usdc-erc20': '1000' }, poor: { 'usdc-erc20': '1' } });
atFileEnd(() => backend.close());
const tokenFile = join(await makeDataDir(), 'token');
await writeFile(tokenFile, backend.token);
const app = await startApp({
  env: {
    RATE_LIMIT: '1',
    TRUST_PROXY: '1',
    WALLETS: 'open',
    WALLET_BACKEND_URL: backend.url,
    WALLET_BACKEND_TOKEN_FILE: tokenFile,
    WALLET_BACKEND_NAME: 'Purse & Co',
  },
});
beforeEach(async () => {
  backend.faultOf = () => null;
  backend.approves = false;
  page = await createPayment();
});

async function createPayment(): Promise<string> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  return (await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
}

let address = 0;

/** Sends the form from a new address; returns the notice and the page that follows. */
async function pay(password = 'secret', username = 'jane', from = `192.0.2.${++address}`, at = page) {
  const answer = await submitForm(at, 'wallet', { username, password }, { 'x-forwarded-for': from });
  expect(answer.status).toBe(303);
  const to = new URL(answer.headers.get('location')!, at);
  return { notice: to.searchParams.get('notice'), words: (await readPage(to.href)).words };
}
const words = async () => (await readPage(page)).words;

test('the wallet of the backend is offered under its name though nobody has one here, and /wallet/ is off', async () => {
  expect(await words()).toContain('Purse & Co wallet');
  await submitForm(page, 'method', { asset: 'wallet' });
  expect(await words()).toContain('Pay from your Purse & Co wallet');
  for (const path of ['/wallet/', '/wallet/sign-in', '/wallet/sign-up'])
    expect((await fetch(new URL(path, app.baseUrl))).status).toBe(404);
});

test('name and password pay, by the backend', async () => {
  expect(await pay()).toMatchObject({ notice: null, words: expect.stringContaining('Paid. Thank you.') });
  expect((await pay()).notice).toBe('not_possible');
});

test.each([
  ['a wrong password', 'jane', typed, 'wrong_password', en.noticeWrongPassword],
  ['too little money', 'poor', 'secret', 'insufficient_funds', en.noticeInsufficientFunds],
  ['no name', '', 'secret', 'wrong_password', en.noticeWrongPassword],
  ['a name of 60 KB', 'j'.repeat(60_000), 'secret', 'wrong_password', en.noticeWrongPassword],
])('%s is told to the customer', async (_what, username, password, notice, text) => {
  expect(await pay(password, username)).toEqual({ notice, words: expect.stringContaining(text) });
});

test('a backend that answers nothing certain has charged nothing, and the page says so', async () => {
  backend.faultOf = (call) => (call === 'authorize' ? 'done, then dropped' : null);
  expect(await pay()).toEqual({
    notice: 'wallet_unanswered',
    words: expect.stringContaining(en.noticeWalletUnanswered),
  });
  backend.faultOf = () => null;
  const [id] = [...backend.book.keys()].slice(-1);
  await vi.waitFor(() => expect(backend.book.get(id!)?.state).toBe('voided'), 120_000);
  expect((await pay()).words).toContain('Paid. Thank you.');
});

test('while it is not known whether the wallet paid, the page asks for patience, and then shows the end', async () => {
  backend.faultOf = (call) => (call === 'capture' ? 'done, then dropped' : null);
  const shown = await pay();
  expect(shown).toMatchObject({ notice: null, words: expect.stringContaining(en.sentLead) });
  expect(shown.words).toContain('Your Purse & Co wallet is paying');
  backend.faultOf = () => null;
  await app.db.query('UPDATE remote_payments SET next_try_at = created_at');
  await vi.waitFor(async () => expect(await words()).toContain('Paid. Thank you.'), 120_000);
});

test('a user approves it there: the page has no form meanwhile, and goes on by itself', async () => {
  backend.approves = true;
  const waiting = await pay();
  expect(waiting.words).toContain('Approve this payment in your Purse & Co wallet');
  expect(waiting.words).not.toContain(en.password);
  expect((await pay()).notice).toBe('wallet_asked');
  backend.answer('authorized');
  await vi.waitFor(async () => expect(await words()).toContain('Paid. Thank you.'), 120_000);
});

test('a user refuses it there: the page says so, and shows the form again', async () => {
  backend.approves = true;
  await pay();
  backend.answer('refused');
  await vi.waitFor(async () => expect(await words()).toContain(en.noticeWalletRefused), 120_000);
  expect(await words()).toContain(en.password);
});

test('tries are limited as those of users here, and an outage takes none', async () => {
  const from = '198.51.100.1';
  backend.faultOf = (call) => (call === 'authorize' ? 'error' : null);
  for (let n = 0; n < 3; n++) expect((await pay(typed, 'ada', from)).notice).toBe('wallet_unanswered');
  backend.faultOf = () => null;
  const before = backend.asked.length;
  const pages = await Promise.all(Array.from({ length: 14 }, createPayment));
  const tries = await Promise.all(pages.map((each, n) => pay(typed, `ada${n}`, from, each)));
  const refused = tries.filter(({ notice }) => notice === 'wrong_password');
  expect(tries.filter(({ notice }) => notice === 'too_many_requests').length).toBe(14 - refused.length);
  // One that was taken comes back in ten seconds.
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeLessThan(14);
  expect(backend.asked.length).toBe(before + refused.length);
});

test('no password is in the database, nor a name that was refused, nor either in the log', async () => {
  await pay(typed, 'typo@name');
  const { rows } = await app.db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`,
  );
  for (const { name } of rows) {
    const { rowCount } = await app.db.query(
      `SELECT FROM ${name} t WHERE t::text LIKE $1 OR t::text LIKE $2`,
      [`%${typed}%`, '%typo@name%'],
    );
    expect([name, rowCount]).toEqual([name, 0]);
  }
  expect(app.log()).not.toContain(typed);
  expect(app.log()).not.toContain('typo@name');
});
