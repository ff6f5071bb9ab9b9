import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { noHints } from '../../../test/support/fixtures.ts';
import { noRail, payoutParts } from '../../../test/support/payment-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { systemClock } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { createAssets } from '../../money/assets.ts';
import { orderRefund } from '../../payments/refunds/order.ts';
import { recordTransfers } from '../../payments/settlement/observe.ts';
import type { StateJson } from '../state-json.ts';

const assets = createAssets();
const refundDeps = {
  ...{ hints: noHints, assets, rail: noRail, now: systemClock },
  ...payoutParts(assets, systemClock),
};

const app = await startApp({ seed: { approved: true } });

type Shown = { id: string; page: string };

/** A payment in test mode whose customer has chosen the network. */
async function created(amount: number): Promise<Shown & { reference: string }> {
  const body = { amount, currency: 'USDC', payment_type: 'deposit', customer_email: 'jane@shop.example' };
  const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const { PaymentData, PaymentURL: page } = made.body.data;
  await submitForm(page, 'method', { asset: 'usdc-base' });
  return { id: PaymentData.id, page, reference: PaymentData.payment_reference };
}

/** One for which this outcome was played. */
async function played(outcome: string, amount = 10): Promise<Shown> {
  const payment = await created(amount);
  await app.api('POST', `/test/payments/${payment.reference}/simulate`, { body: { outcome } });
  return payment;
}

/** The id of a refund that the merchant leaves to the customer. */
async function orderOf({ id }: Shown, units: bigint): Promise<string> {
  const wanted = { asset: null, units, destination: null, reason: 'One item is missing' };
  const requester = { accountId: null, name: 'a key', limits: null };
  const order = { wanted, requester, ownTime: systemClock() };
  return (await transaction(app.db, (tx) => orderRefund(tx, refundDeps, id, order))).id;
}

const stateOf = async ({ page }: Shown) =>
  (await (await fetch(page.replace('?', '/state?'))).json()) as StateJson;

const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

/** Sends the form; the notice of its answer, or its status where it is a page. */
async function claim({ page }: Shown, fields: Record<string, string>): Promise<string | number | null> {
  const response = await submitForm(page, 'refund', { to, ...fields });
  if (response.status !== 303) return response.status;
  return new URL(response.headers.get('location') ?? '', page).searchParams.get('notice');
}

const overpaid = { asset: 'usdc-base' };
const confirm = 'yes';

describe('what came too much', () => {
  test('is owed, claimed with an address, shown once more, and sent when it is confirmed', async () => {
    const payment = await played('overpaid');
    expect(await stateOf(payment)).toMatchObject({
      refunds: [],
      owed: [{ asset: 'usdc-base', amount: '5' }],
    });

    const draft = await submitForm(payment.page, 'refund', { ...overpaid, to });
    expect(draft.status).toBe(200);
    const text = await draft.text();
    expect(text).toContain(to);
    expect(text).toContain('name="confirm" value="yes"');
    expect(await stateOf(payment)).toMatchObject({ refunds: [], owed: [{ amount: '5' }] });

    expect(await claim(payment, { ...overpaid, confirm })).toBe('claim_ordered');
    const ordered = await stateOf(payment);
    expect(ordered).toMatchObject({ refunds: [{ asset: 'usdc-base', amount: '5', to }], owed: [] });
    await app.api('POST', '/test/clock/advance', { body: { seconds: 60 } });
    await expect
      .poll(async () => (await stateOf(payment)).refunds)
      .toMatchObject([{ status: 'completed', transaction: expect.any(String) }]);
    expect((await stateOf(payment)).sequence).toBeGreaterThan(ordered.sequence);
  });

  test('is sent once, whoever confirms first', async () => {
    const payment = await played('overpaid');
    const claims = Array.from({ length: 3 }, () => claim(payment, { ...overpaid, confirm }));
    expect((await Promise.all(claims)).sort()).toEqual(['claim_not_owed', 'claim_not_owed', 'claim_ordered']);
    expect((await stateOf(payment)).refunds).toHaveLength(1);
  });

  test('above the limit of a link waits for the merchant', async () => {
    const payment = await played('overpaid', 200);
    expect(await claim(payment, { ...overpaid, confirm })).toBe('claim_awaits');
    expect((await stateOf(payment)).refunds).toMatchObject([{ status: 'awaiting_approval', amount: '100' }]);
  });
});

async function sendTo({ id }: Shown, sender: string, units: bigint, state: 'seen' | 'final' = 'final') {
  const key = `${sender} ${id}`;
  const transfer = { rail: 'simulated', key, transaction: key, paymentId: id };
  const seen = { asset: 'usdc-base', units, state, confirmations: 1, needed: 3, sender };
  const reports = [{ seen: { ...transfer, ...seen }, at: refundDeps.now() }];
  await transaction(app.db, (tx) => recordTransfers(tx, refundDeps, reports));
}

/** A payment of 200 USDC that one sender paid with 300. */
async function overpaidBy(sender: string): Promise<Shown> {
  const payment = await created(200);
  await sendTo(payment, sender, 300_000_000n);
  return payment;
}

describe('the address that the money came from', () => {
  const sender = 'test_sender';
  const claimOf = { ...overpaid, to: sender };
  const draftOf = async ({ page }: Shown) => (await submitForm(page, 'refund', claimOf)).text();

  test('is called that, and needs no confirmation, once what came from it is final', async () => {
    const payment = await overpaidBy(sender);
    const draft = await draftOf(payment);
    expect(draft).toContain('The money came from this address.');
    expect(draft).not.toContain('has to confirm this address');
    expect(await claim(payment, { ...claimOf, confirm })).toBe('claim_ordered');
  });

  test('is like any other before that, on the page as for the order', async () => {
    const payment = await played('overpaid', 200);
    await sendTo(payment, sender, 300_000_000n, 'seen');
    expect(await draftOf(payment)).not.toContain('The money came from this address.');
    expect(await draftOf(payment)).toContain('has to confirm this address');
    expect(await claim(payment, { ...claimOf, confirm })).toBe('claim_awaits');
  });

  test('is like any other where it sent less than goes back: who sends a little owns nothing of what others sent', async () => {
    const payment = await played('overpaid', 200);
    await sendTo(payment, sender, 1_000_000n);
    expect(await draftOf(payment)).toContain('has to confirm this address');
    expect(await claim(payment, { ...claimOf, confirm })).toBe('claim_awaits');
  });
});

describe('another address than the sender’s', () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  /** The text that the page asks to sign; null: it does not ask. */
  const statementOn = async ({ page }: Shown, fields: Record<string, string> = {}) => {
    const text = await (await submitForm(page, 'refund', { to, ...overpaid, ...fields })).text();
    return /id="proof-statement"[^>]*>([^<]*)</.exec(text)?.[1] ?? null;
  };

  test('needs no confirmation when the sender has signed it; the signature is kept', async () => {
    const payment = await overpaidBy(wallet.address);
    const message = (await statementOn(payment)) ?? '';
    expect(message).toContain(`Site: ${new URL(payment.page).host}\n`);
    expect(message).toContain(payment.id);
    expect(message).toContain('Amount: 100 USDC on ');
    expect(message.endsWith(`\nTo: ${to}`)).toBe(true);
    const signature = await wallet.signMessage({ message });

    const draft = await submitForm(payment.page, 'refund', { ...overpaid, to, signature });
    expect(draft.status).toBe(200);
    expect(await draft.text()).not.toContain('has to confirm this address');
    expect((await stateOf(payment)).refunds).toEqual([]);

    expect(await claim(payment, { ...overpaid, signature, confirm })).toBe('claim_ordered');
    expect((await stateOf(payment)).refunds).toMatchObject([{ status: 'queued', amount: '100', to }]);
    const { rows } = await app.db.query(
      'SELECT proved_by, proof_statement, proof_signature FROM payment_refunds WHERE payment_id = $1',
      [payment.id],
    );
    expect(rows).toEqual([
      { proved_by: wallet.address.toLowerCase(), proof_statement: message, proof_signature: signature },
    ]);
  });

  test.each([
    ['another address', (text: string) => text.replace(to, wallet.address)],
    ['another amount', (text: string) => text.replace('Amount: 100', 'Amount: 1')],
    ['another site', (text: string) => text.replace('Site: ', 'Site: elsewhere.example/')],
    ['another payment', (text: string) => text.replace('Payment: PAY_', 'Payment: PAY_0')],
  ])('is refused with a signature that names %s, and nothing is ordered', async (_, changed) => {
    const payment = await overpaidBy(wallet.address);
    const text = (await statementOn(payment)) ?? '';
    expect(changed(text)).not.toBe(text);
    const signature = await wallet.signMessage({ message: changed(text) });
    expect(await claim(payment, { ...overpaid, signature, confirm })).toBe(400);
    expect((await stateOf(payment)).refunds).toEqual([]);
    // The merchant can still confirm it.
    expect(await claim(payment, { ...overpaid, confirm })).toBe('claim_awaits');
  });

  test('is refused with a stranger’s signature, or something else than a signature', async () => {
    const payment = await overpaidBy(wallet.address);
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signature = await stranger.signMessage({ message: (await statementOn(payment)) ?? '' });
    expect(await claim(payment, { ...overpaid, signature, confirm })).toBe(400);
    expect(await claim(payment, { ...overpaid, signature: 'my name', confirm })).toBe(400);
  });

  test('is not to be signed where little came from a wallet, or it came from no wallet, or the link suffices', async () => {
    const byOthers = await played('overpaid', 200);
    await sendTo(byOthers, wallet.address, 1_000_000n);
    expect(await statementOn(byOthers)).toBeNull();
    expect(await statementOn(await overpaidBy('test_sender'))).toBeNull();
    const small = await created(10);
    await sendTo(small, wallet.address, 15_000_000n);
    expect(await statementOn(small)).toBeNull();
  });

  test('needs a confirmation for more than is left of what the sender sent', async () => {
    const payment = await overpaidBy(wallet.address);
    await sendTo(payment, 'test_other', 100_000_000n);
    const first = await orderOf(payment, 250_000_000n);
    const second = await orderOf(payment, 140_000_000n);
    const signature = await wallet.signMessage({
      message: (await statementOn(payment, { refund: first })) ?? '',
    });
    expect(await claim(payment, { refund: first, signature, confirm })).toBe('claim_ordered');
    expect(await statementOn(payment, { refund: second })).toBeNull();
    expect(await claim(payment, { refund: second, signature, confirm })).toBe('claim_awaits');
  });
});

test('a refund that the merchant leaves to the customer waits for their address', async () => {
  const payment = await played('success');
  const id = await orderOf(payment, 4_000_000n);
  expect(await stateOf(payment)).toMatchObject({
    refunds: [{ id, status: 'awaiting_destination', to: null }],
    owed: [{ asset: 'usdc-base', amount: '4' }],
  });
  expect(await claim(payment, { refund: id, asset: 'usdc-base', confirm })).toBe('claim_ordered');
  expect(await stateOf(payment)).toMatchObject({ refunds: [{ id, to, amount: '4' }], owed: [] });
});

test('money of another currency is owed, and the merchant confirms where it goes', async () => {
  const payment = await played('wrong_token');
  const { owed } = await stateOf(payment);
  const asset = owed[0]?.asset ?? '';
  expect(owed).toEqual([{ asset: expect.not.stringContaining('usdc'), amount: '10' }]);
  expect(await claim(payment, { asset, to: 'test_my_wallet', confirm })).toBe('claim_awaits');
});

describe('a claim', () => {
  test.each([
    ['without an address', { to: ' ' }],
    ['with a typing error in the address', { to: to.replace('71C', '71c') }],
    ['of something that is no address', { to: 'my wallet' }],
    ['with a memo on a network without memos', { memo: '12345' }],
  ])('%s is drawn again with 400, and nothing is ordered', async (_, fields) => {
    const payment = await played('overpaid');
    expect(await claim(payment, { ...overpaid, ...fields, confirm })).toBe(400);
    expect((await stateOf(payment)).refunds).toEqual([]);
  });

  test('of what is not owed, or in another asset, changes nothing', async () => {
    const payment = await played('success');
    expect(await claim(payment, { ...overpaid, confirm })).toBe('claim_not_owed');
    const other = await played('overpaid');
    expect(await claim(other, { asset: 'usdc-erc20', confirm })).toBe('claim_not_owed');
    expect(await claim(other, { refund: 'no refund', asset: 'usdc-base', confirm })).toBe('claim_not_owed');
    expect((await stateOf(other)).owed).toEqual([{ asset: 'usdc-base', amount: '5' }]);
  });

  test('from a foreign page is refused', async () => {
    const payment = await played('overpaid');
    const response = await fetch(payment.page.replace(/\?.*/, '/refund'), {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams([
        ...new URL(payment.page).searchParams,
        ['to', to],
        ...Object.entries(overpaid),
      ]),
    });
    expect(response.status).toBe(403);
  });
});

test('tries are limited for each payment', async () => {
  const limited = await startApp({ env: { RATE_LIMIT: '1' } });
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const made = await limited.api<CreatedPayment>('PUT', '/payment/create', { body });
  const { PaymentData, PaymentURL: page } = made.body.data;
  await submitForm(page, 'method', { asset: 'usdc-base' });
  const reference = PaymentData.payment_reference;
  await limited.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'overpaid' } });
  const answers = [];
  for (let n = 0; n < 12; n += 1) answers.push(await claim({ id: PaymentData.id, page }, overpaid));
  expect(answers).toContain('too_many_requests');
});
