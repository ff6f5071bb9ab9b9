import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, expect, test, vi } from 'vitest';
import type { StateJson } from '../src/checkout/state-json.ts';
import { auditLedger } from '../src/ledger/audit.ts';
import { startHorizon } from './horizon/horizon.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { operatorDesk, root } from './support/operator.ts';
import { startApp } from './support/running.ts';

// Money that names no payment, from a Horizon through the hosted page and the operators' desk to the ledger.

const coin = 10_000_000n;
const custody = Keypair.random();

const directory = await testFolder();
const horizon = await startHorizon();
horizon.fund(custody.publicKey(), 20n * coin);
const file = join(directory, 'config.json');
const pi = { passphrase: horizon.passphrase, horizon: [horizon.url], account: custody.publicKey() };
await writeFile(file, JSON.stringify({ pi }));
const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
const desk = await operatorDesk(await openConsole(app));
afterAll(async () => {
  await horizon.stop();
});

const soon = { timeout: 120_000, interval: 50 };

type Opened = { reference: string; url: string; memo: string };

async function open(): Promise<Opened> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 10, currency: 'PI', payment_type: 'deposit' },
  });
  const { PaymentURL: url, PaymentData } = body.data;
  return await vi.waitFor(async () => {
    const state = (await (await fetch(url.replace('?', '/state?'))).json()) as StateJson;
    return { reference: PaymentData.payment_reference, url, memo: state.destinations[0]!.memo! };
  }, soon);
}

/** Somebody with an account of their own. */
function person(): { send(amount: bigint, memo?: string): string } {
  const key = Keypair.random();
  horizon.fund(key.publicKey(), 100n * coin);
  const to = custody.publicKey();
  return { send: (amount, memo) => horizon.pay({ from: key, to, amount, ...(memo && { memo }) }) };
}

/** What the page answers to a transaction, once it answers as wanted. */
const claim = ({ url }: Opened, transaction: string, wanted: string) =>
  vi.waitFor(async () => {
    const { headers } = await submitForm(url, 'claim', { transaction });
    expect(new URL(headers.get('location')!, url).searchParams.get('notice')).toBe(wanted);
  }, soon);

const becomes = ({ reference }: Opened, status: string) =>
  vi.waitFor(async () => {
    const { body } = await app.api<{ payment_status: string }>('GET', `/payment/info/${reference}`, {
      key: null,
    });
    expect(body.data.payment_status).toBe(status);
  }, soon);

/** What is too little to move its status is among its transfers all the same. */
const shows = ({ reference }: Opened, transaction: string) =>
  vi.waitFor(async () => {
    const { body } = await app.api<{ transfers: { transaction: string }[] }>(
      'GET',
      `/payments/${reference}`,
      { key: app.liveSecretKey },
    );
    expect(body.data.transfers.map((each) => each.transaction)).toContain(transaction);
  }, soon);

const deposits = async () => {
  const { items } = await desk.get('/strays');
  return items as unknown as {
    id: string;
    transaction: string;
    claims: number;
    proofs: number;
    memo: string | null;
  }[];
};
const deposit = (transaction: string) =>
  vi.waitFor(async () => {
    const found = (await deposits()).find((each) => each.transaction === transaction);
    if (!found) throw new Error('not there yet');
    return found;
  }, soon);

const assign = async (id: string, { reference }: Opened, reason: string) => {
  const body = { payment_reference: reference, reason };
  expect((await desk.call('POST', `${root}/strays/${id}/assign`, { body })).status).toBe(200);
};

test('a customer who forgot the memo proves by a second transfer that the first one is theirs', async () => {
  const [payment, payer] = [await open(), person()];
  const hash = payer.send(10n * coin);
  const { id } = await deposit(hash);
  await claim(payment, ` ${hash.toUpperCase()} `.trim(), 'claim_unmatched');
  expect(await deposit(hash)).toMatchObject({ claims: 1, proofs: 0 });
  const second = payer.send(1n, payment.memo);
  await shows(payment, second);
  await claim(payment, hash, 'claim_proved');
  expect(await deposit(hash)).toMatchObject({ claims: 1, proofs: 1 });
  const { items } = await desk.get(`/strays/${id}/matches`);
  expect(items[0]).toMatchObject({
    ...{ reference: payment.reference, because: ['claim', 'account', 'amount'] },
    proof: { transaction: second, amount: '0.0000001', other_payments: 0, other_deposits: 0 },
  });
  await assign(id, payment, 'Both came from the same account');
  await becomes(payment, 'completed');
  expect((await deposits()).map(({ transaction }) => transaction)).not.toContain(hash);
});

test('a stranger who claims it, and sends from an account of their own, proves nothing', async () => {
  const [payment, payer, stranger] = [await open(), person(), person()];
  const hash = payer.send(10n * coin);
  await deposit(hash);
  await claim(payment, hash, 'claim_unmatched');
  await shows(payment, stranger.send(1n, payment.memo));
  expect(await deposit(hash)).toMatchObject({ claims: 1, proofs: 0 });
});

test('an operator finds the payment by a memo with a typing error, and assigns the money', async () => {
  const [payment, payer] = [await open(), person()];
  const hash = payer.send(10n * coin, `${payment.memo.slice(0, 3)}${payment.memo.slice(4)}`);
  const { id } = await deposit(hash);
  const { items } = await desk.get(`/strays/${id}/matches`);
  expect(items[0]).toMatchObject({ reference: payment.reference, because: ['memo', 'amount'] });
  await assign(id, payment, 'One character of the memo is missing');
  await becomes(payment, 'completed');
  await claim(await open(), hash, 'claim_elsewhere_memo');
});

test('a transaction that failed is said to have failed', async () => {
  const payment = await open();
  const overdrawn = person().send(1_000n * coin, payment.memo);
  await claim(payment, overdrawn, 'claim_failed');
});

test('the books are right, and hold what the account got', async () => {
  const got = await vi.waitFor(async () => {
    const { rows } = await app.db.query<{ held: bigint }>(
      `SELECT -sum(e.units) AS held FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
       WHERE a.kind = 'external' AND a.owner = 'pi'`,
    );
    return rows[0]!.held;
  }, soon);
  expect(got).toBe(30n * coin + 2n);
  expect((await auditLedger(app.db)).findings).toEqual([]);
});
