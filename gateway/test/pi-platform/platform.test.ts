import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Horizon, startHorizon } from '../horizon/horizon.ts';
import type { PaymentDto } from './payment.ts';
import { type PlatformServer, startPiPlatform } from './platform.ts';
import type { PiUser } from './users.ts';

const coin = 10_000_000n;
const passphrase = 'Florin Test Pi';
const custody = Keypair.random();
const request = { amount: 1.5, memo: 'Letter paper', metadata: { reference: 'order-1' } };

let horizon: Horizon;
let platform: PlatformServer;
let ann: PiUser;
beforeEach(async () => {
  horizon = await startHorizon({ passphrase });
  platform = await start();
  ann = platform.users.add({ username: 'ann' });
  for (const { publicKey } of [custody, ann.wallet].map((key) => ({ publicKey: key.publicKey() })))
    horizon.fund(publicKey, 1_000n * coin);
});
afterEach(async () => {
  await platform.stop();
  await horizon.stop();
});

function start(file: string | null = null): Promise<PlatformServer> {
  const app = { name: 'Shop', key: 'server-key', account: custody.publicKey() };
  return startPiPlatform({ horizonUrl: horizon.url, passphrase, app, file });
}

async function call(method: string, path: string, body?: object, authorization = 'Key server-key') {
  const response = await fetch(`${platform.apiUrl}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as PaymentDto };
}
const act = (what: string, { identifier }: PaymentDto, body: object = {}) =>
  call('POST', `/payments/${identifier}/${what}`, body);
const refused = (error: string) => ({ status: 400, body: { error, error_message: expect.any(String) } });

async function paid(): Promise<PaymentDto> {
  const payment = platform.userSide.create(ann, request);
  await act('approve', payment);
  return await platform.userSide.submit(ann, payment.identifier);
}

/** A transaction that pays the app without its platform. */
function pay(memo: string, amount: bigint, to = custody.publicKey()): string {
  return horizon.pay({ from: ann.wallet, to, amount, memo });
}

describe('a payment of a user to the app', () => {
  test('is shown in every field that the Platform API has', async () => {
    const payment = platform.userSide.create(ann, request);
    expect(await call('GET', `/payments/${payment.identifier}`)).toEqual({
      status: 200,
      body: {
        identifier: expect.stringMatching(/^[A-Za-z0-9]{28}$/),
        user_uid: ann.uid,
        amount: 1.5,
        memo: 'Letter paper',
        metadata: { reference: 'order-1' },
        from_address: ann.wallet.publicKey(),
        to_address: custody.publicKey(),
        direction: 'user_to_app',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        network: passphrase,
        status: {
          developer_approved: false,
          transaction_verified: false,
          developer_completed: false,
          cancelled: false,
          user_cancelled: false,
        },
        transaction: null,
      },
    });
  });

  test('is approved, paid with its identifier as memo, and completed', async () => {
    const payment = await paid();
    const txid = payment.transaction!.txid;
    expect(payment).toMatchObject({
      status: { transaction_verified: true, developer_completed: false },
      transaction: { verified: true, _link: `${horizon.url}/transactions/${txid}` },
    });
    const onChain = await (await fetch(`${horizon.url}/transactions/${txid}`)).json();
    expect(onChain).toMatchObject({ memo_type: 'text', memo: payment.identifier, successful: true });
    expect(await act('complete', payment, { txid })).toMatchObject({
      status: 200,
      body: { status: { developer_completed: true } },
    });
    expect(await act('complete', payment, { txid })).toMatchObject(refused('already_completed'));
  });

  test('is paid by nobody before it is approved, and once after that', async () => {
    const payment = platform.userSide.create(ann, request);
    await expect(platform.userSide.submit(ann, payment.identifier)).rejects.toThrow('not_verified');
    await act('approve', payment);
    expect(await act('approve', payment)).toMatchObject(refused('already_approved'));
    const twice = await Promise.allSettled(
      [1, 2].map(() => platform.userSide.submit(ann, payment.identifier)),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(horizon.core.accounts.get(custody.publicKey())!.units).toBe(1_000n * coin + 15_000_000n);
  });

  test('is completed by no other transaction than its own', async () => {
    const payment = platform.userSide.create(ann, request);
    const complete = (txid?: string) => act('complete', payment, { txid });
    await act('approve', payment);
    const failed = (verification_error: string) => ({ status: 400, body: { verification_error } });
    expect(await complete()).toMatchObject(refused('missing_txid'));
    expect(await complete('0'.repeat(64))).toMatchObject(failed('transaction_not_found'));
    expect(await complete(pay('another memo', 15_000_000n))).toMatchObject(failed('memo_mismatch'));
    expect(await complete(pay(payment.identifier, 14_999_999n))).toMatchObject(failed('amount_mismatch'));
    expect(await complete(pay(payment.identifier, 15_000_000n, horizon.root.publicKey()))).toMatchObject(
      failed('recipient_mismatch'),
    );
    expect((await complete(pay(payment.identifier, 15_000_000n))).status).toBe(200);
  });

  test('is cancelled by the user or the app as long as nothing was paid', async () => {
    const first = platform.userSide.create(ann, request);
    expect(platform.userSide.cancel(ann, first.identifier).status.user_cancelled).toBe(true);
    expect(await act('approve', first)).toMatchObject(refused('cancelled_payment'));
    const second = platform.userSide.create(ann, request);
    expect((await act('cancel', second)).body.status.cancelled).toBe(true);
    expect(await act('cancel', await paid())).toMatchObject(refused('payment_tx_present'));
  });

  test('that was paid and not completed stands in the way of the next; one that was not is cancelled', async () => {
    const open = platform.userSide.create(ann, request);
    expect(platform.userSide.incompleteOf(ann)).toBeUndefined();
    const payment = await paid();
    expect(platform.payment(open.identifier)!.status.cancelled).toBe(true);
    expect(platform.userSide.incompleteOf(ann)).toEqual(payment);
    expect(() => platform.userSide.create(ann, request)).toThrow('A pending payment needs to be handled');
    await act('complete', payment, { txid: payment.transaction!.txid });
    expect(platform.userSide.incompleteOf(ann)).toBeUndefined();
    platform.userSide.create(ann, request);
  });
});

describe('a payment of the app to a user', () => {
  const create = () => call('POST', '/payments', { payment: { ...request, uid: ann.uid } });

  test('needs no approval, and is the only one until it has ended', async () => {
    const { body: payment } = await create();
    expect(payment).toMatchObject({
      direction: 'app_to_user',
      from_address: custody.publicKey(),
      to_address: ann.wallet.publicKey(),
      status: { developer_approved: true },
    });
    expect(await create()).toEqual({
      status: 400,
      body: { error: 'ongoing_payment_found', error_message: expect.any(String), payment },
    });
    const list = () => call('GET', '/payments/incomplete_server_payments').then(({ body }) => body);
    expect(await list()).toEqual({ incomplete_server_payments: [payment] });
    platform.showListAs('bare');
    expect(await list()).toEqual([payment]);
    const txid = horizon.pay({
      from: custody,
      to: payment.to_address,
      amount: 15_000_000n,
      memo: payment.identifier,
    });
    // The real one does not look for itself, either.
    expect((await call('GET', `/payments/${payment.identifier}`)).body.transaction).toBeNull();
    expect((await act('complete', payment, { txid })).status).toBe(200);
    expect(await act('complete', payment, { txid: '1'.repeat(64) })).toMatchObject({
      status: 400,
      body: { verification_error: 'payment_already_linked_with_a_tx' },
    });
    expect(await list()).toEqual([]);
  });

  test('is refused where the user or the amount is none', async () => {
    const of = (more: object) =>
      call('POST', '/payments', { payment: { ...request, uid: ann.uid, ...more } });
    expect(await of({ uid: 'nobody' })).toMatchObject({ status: 404, body: { error: 'user_not_found' } });
    expect(await of({ amount: 0.00000001 })).toMatchObject(refused('invalid_amount'));
    expect(await of({ memo: '' })).toMatchObject(refused('invalid_arguments'));
    expect(await of({ metadata: 'text' })).toMatchObject(refused('invalid_metadata'));
  });
});

test('the server key opens payments, and an access token its user', async () => {
  for (const wrong of ['', 'Key other', 'Bearer server-key'])
    expect((await call('GET', '/payments/x', undefined, wrong)).status).toBe(401);
  expect(await call('GET', '/payments/x')).toMatchObject({
    status: 404,
    body: { error: 'payment_not_found' },
  });
  expect(await call('GET', '/me', undefined, `Bearer ${ann.accessToken}`)).toMatchObject({
    status: 200,
    body: { uid: ann.uid, username: 'ann', credentials: { scopes: ['username', 'payments'] } },
  });
  expect((await call('GET', '/me', undefined, 'Key server-key')).status).toBe(401);
});

test('pages of the shop may use the SDK, and none the server key', async () => {
  const headers = { origin: 'https://pay.example' };
  const allowed = async (path: string) =>
    (await fetch(`${platform.url}${path}`, { method: 'OPTIONS', headers })).headers.get(
      'access-control-allow-origin',
    );
  expect(await allowed('/pi-app/authenticate')).toBe('https://pay.example');
  expect(await allowed('/v2/payments')).toBeNull();
});

describe('a fault', () => {
  test('takes the place of an answer, before what was asked for is done or after it', async () => {
    const payment = platform.userSide.create(ann, request);
    const isApproved = () => platform.payment(payment.identifier)!.status.developer_approved;
    platform.faults.add({ on: /approve/, status: 429, headers: { 'retry-after': '7' } });
    const limited = await fetch(`${platform.apiUrl}/payments/${payment.identifier}/approve`, {
      method: 'POST',
      headers: { authorization: 'Key server-key' },
    });
    expect([limited.status, limited.headers.get('retry-after'), isApproved()]).toEqual([429, '7', false]);
    platform.faults.add({ on: /approve/, cut: true });
    await expect(act('approve', payment)).rejects.toThrow('fetch failed');
    expect(isApproved()).toBe(false);
    platform.faults.add({ on: /approve/, cut: true, afterEffect: true });
    await expect(act('approve', payment)).rejects.toThrow('fetch failed');
    expect(isApproved()).toBe(true);
  });
});

test('payments are kept over a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await platform.stop();
  platform = await start(join(directory, 'payments.jsonl'));
  const again = platform.users.add(ann);
  const payment = platform.userSide.create(again, request);
  await act('approve', payment);
  await platform.stop();
  platform = await start(join(directory, 'payments.jsonl'));
  expect(platform.payments()).toEqual([
    { ...payment, status: { ...payment.status, developer_approved: true } },
  ]);
});
