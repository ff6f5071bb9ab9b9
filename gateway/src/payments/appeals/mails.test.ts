import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { openShop, report, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { createAccount } from '../../identity/accounts/accounts.ts';
import { addMember, createMerchant } from '../../identity/merchants/merchants.ts';
import { memberRoles } from '../../identity/roles.ts';
import { transaction } from '../../kit/db/db.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import { mailAppeals } from './mails.ts';
import { answerAppeal, writeAsCustomer } from './messages.ts';

const { db } = await testDatabase();
const accounts = new Map<string, string>();
let shop: Shop;
beforeEach(async () => {
  await db.query('DELETE FROM emails');
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  await enroll(shop);
});

/** Makes a business of the shop's, with a member of every role. */
async function enroll({ caller, clock }: Shop): Promise<void> {
  const now = clock.now();
  await transaction(db, async (tx) => {
    for (const role of memberRoles) {
      const account = {
        email: `${role}@example.com`,
        name: role,
        password: 'correct horse battery',
        emailVerified: true,
      };
      if (!accounts.has(role)) accounts.set(role, await createAccount(tx, account, now));
    }
    const merchantId = await createMerchant(
      tx,
      { name: 'Corner shops', ownerId: accounts.get('owner')! },
      now,
    );
    for (const role of memberRoles)
      await addMember(tx, { merchantId, accountId: accounts.get(role)!, role }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [
      caller.integration.id,
      merchantId,
    ]);
  });
}

async function disputed(): Promise<Payment> {
  const payment = await shop.create({ customer_email: 'jane@example.com' });
  await report(shop, payment, { key: payment.id, units: 10_000_000n });
  await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Nothing came'));
  return payment;
}

/** Sends the mails on what is new, and returns the mails as `recipient: subject`. */
async function sendMails(): Promise<string[]> {
  await db.query('DELETE FROM emails');
  const deps = { baseUrl: 'https://pay.example', payUrl: 'https://pay.example/pay', now: shop.clock.now };
  await mailAppeals(db, deps);
  const { rows } = await db.query<{ recipient: string; subject: string }>(
    'SELECT * FROM emails ORDER BY recipient',
  );
  return rows.map(({ recipient, subject }) => `${recipient}: ${subject}`);
}

const answer = async (payment: Payment, author: 'merchant' | 'operator') => {
  const { rows } = await db.query('SELECT id FROM appeals WHERE payment_id = $1', [payment.id]);
  const message = { author, accountId: accounts.get('support')!, text: 'We look into it.' };
  await write(shop, (tx) => answerAppeal(tx, shop.deps, { scope: 'all', id: rows[0].id }, message));
};

const toMembers = (subject: string) =>
  ['finance', 'owner', 'support'].map((role) => `${role}@example.com: ${subject}`);

test('those who answer appeals get one mail about a new appeal', async () => {
  const { reference } = await disputed();
  expect(await sendMails()).toEqual(toMembers(`Corner shop: payment ${reference} is in appeal`));
  expect(await sendMails()).toEqual([]);
});

test("a customer's messages that came together are in one mail", async () => {
  const payment = await disputed();
  await sendMails();
  for (const text of ['Hello?', 'Anybody there?']) {
    await write(shop, (tx) => writeAsCustomer(tx, shop.deps, payment.id, text));
  }
  expect(await sendMails()).toEqual(
    toMembers(`Corner shop: the customer wrote about payment ${payment.reference}`),
  );
});

test('the customer gets a mail about an answer, with a link to the page', async () => {
  const payment = await disputed();
  await sendMails();
  await answer(payment, 'merchant');
  expect(await sendMails()).toEqual(['jane@example.com: Corner shop: an answer about your payment']);
  const [mail] = await outbox(db);
  expect(mail!.text).toContain(
    `reference=${payment.reference}&app=${payment.integrationId}&token=${payment.token}`,
  );
  await answer(payment, 'operator');
  expect(await sendMails()).toHaveLength(4);
});

test('the mail to the customer has the domain and the colour of the shop', async () => {
  const payment = await disputed();
  await db.query(
    `UPDATE integrations SET brand_color = '#7a1f3d', page_domain = 'pay.corner.example', page_domain_token = 'x',
       page_domain_verified_at = now() WHERE id = $1`,
    [payment.integrationId],
  );
  await sendMails();
  await answer(payment, 'merchant');
  await sendMails();
  const [mail] = await outbox(db);
  expect(mail!.text).toContain(`https://pay.corner.example/pay?reference=${payment.reference}`);
  expect(mail!.html).toContain('background:#7a1f3d');
});

test('a test payment mails nobody but members of the business', async () => {
  shop = await openShop(db);
  await enroll(shop);
  const payment = await disputed();
  await sendMails();
  await answer(payment, 'merchant');
  expect(await sendMails()).toEqual([]);
  await db.query("UPDATE payments SET customer_email = 'support@example.com' WHERE id = $1", [payment.id]);
  await answer(payment, 'merchant');
  expect(await sendMails()).toEqual(['support@example.com: Corner shop: an answer about your payment']);
});

test('two workers mail everything once', async () => {
  await Promise.all([disputed(), disputed(), disputed()]);
  await db.query('DELETE FROM emails');
  const deps = { baseUrl: 'https://pay.example', payUrl: 'https://pay.example/pay', now: shop.clock.now };
  const mailed = await Promise.all([mailAppeals(db, deps), mailAppeals(db, deps)]);
  expect(mailed[0] + mailed[1]).toBe(3);
  expect((await db.query('SELECT FROM emails')).rowCount).toBe(9);
});
