import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import {
  noRail,
  openShop,
  paymentById,
  payUrl,
  report,
  type Shop,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { brandColors } from '../../identity/integrations/brand-color.ts';
import { createGuards } from '../../identity/keys/guards.ts';
import { after } from '../../kit/clock.ts';
import type { Payment } from '../../payments/payment/payment.ts';
import { noteReceipt } from '../../payments/receipts/receipt-mails.ts';
import { cancelPayment } from '../../payments/settlement/act.ts';
import { sendReceipt } from '../api/receipt.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { findForPage } from '../find-payment.ts';
import { formatOf } from '../format.ts';
import { messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import { mailReceipts } from './mail-receipts.ts';
import { receiptOf } from './receipt.ts';

const { db } = await testDatabase();
let shop: Shop;
let payment: Payment;

const deps = () => ({
  assets: shop.assets,
  rail: noRail,
  explorers: new Map(),
  usdOf: () => null,
  remote: null,
  now: shop.clock.now,
  mailsReceipts: true,
  payUrl,
});

beforeEach(async () => {
  await db.query('DELETE FROM emails');
  shop = await openShop(db, { name: 'Nib & Folio', approved: true }, { mode: 'live' });
  payment = await shop.create({ customer_email: 'ada@example.com' });
});

const choose = (locale: 'de' | 'en' = 'de') => write(shop, (tx) => noteReceipt(tx, payment.id, locale));
const pay = () => report(shop, payment, { key: payment.id, units: 10_000_000n });
const mail = () => mailReceipts(db, deps(), shop.clock.now());
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

async function shown(): Promise<CheckoutPayment> {
  const { reference, integrationId: app, token } = payment;
  const found = await findForPage(db, deps(), { reference, app, token });
  if (!found) throw new Error('The payment has no page');
  return found;
}

describe('the receipt of a completed payment', () => {
  test('is mailed once, in the language of the page, also by two processes at once', async () => {
    await choose();
    await mail();
    expect(await outbox(db)).toEqual([]);
    await pay();
    await Promise.all([mail(), mail()]);
    await mail();
    const mails = await outbox(db);
    expect(mails).toHaveLength(1);
    const [receipt] = mails;
    expect(receipt).toMatchObject({ recipient: 'ada@example.com', subject: 'Ihr Beleg von Nib & Folio' });
    expect(plain(receipt?.text ?? '')).toContain('Sie haben 10,00 USDC an Nib & Folio gezahlt.');
    expect(receipt?.html).toContain('Nib &amp; Folio');
    const link = new URL(/https:\S+/.exec(receipt?.text ?? '')?.[0] ?? '');
    expect(link.href).toContain(
      `${payUrl}/receipt?reference=${payment.reference}&app=${payment.integrationId}`,
    );
    expect([link.searchParams.get('token'), link.searchParams.get('lang')]).toEqual([payment.token, 'de']);
    expect((await shown()).receipt).toEqual({ sentTo: 'a•••@example.com' });
  });

  test('has the colour of the shop, as light paper takes it, and leads to its own domain', async () => {
    await db.query(
      `UPDATE integrations SET brand_color = '#ffd400', page_domain = 'pay.nib.example', page_domain_token = 'x',
         page_domain_verified_at = now() WHERE id = $1`,
      [payment.integrationId],
    );
    await choose();
    await pay();
    await mail();
    const [receipt] = await outbox(db);
    expect(receipt?.text).toContain('https://pay.nib.example/pay/receipt?reference=');
    expect(receipt?.html).toContain(`background:${brandColors('#ffd400').light};color:#FFFFFF`);
    expect(receipt?.html).not.toContain('background:#9A6B00');
  });

  test('has the letterhead of the shop', async () => {
    await db.query(
      `UPDATE integrations SET contact_email = 'help@nib.example', contact_url = 'https://nib.example/help',
         postal_address = E'12 Ink Street\n<b>Oxford</b>', tax_number = 'GB 123' WHERE id = $1`,
      [payment.integrationId],
    );
    await choose();
    await pay();
    await mail();
    const [receipt] = await outbox(db);
    expect(receipt?.text).toContain(
      'Nib & Folio\n12 Ink Street\n<b>Oxford</b>\nSteuernummer: GB 123\nKontakt: help@nib.example, nib.example/help\n',
    );
    expect(receipt?.html).toContain('&lt;b&gt;Oxford&lt;/b&gt;');
  });

  test('says all that the receipt says', async () => {
    await choose('en');
    await pay();
    await mail();
    const text = plain((await outbox(db))[0]?.text ?? '');
    const { title, parts } = receiptOf({
      view: await shown(),
      t: translator('en', messagesOf('en')),
      format: formatOf('en'),
    });
    expect(text).toContain(`\n${title}\nReference: ${payment.reference}\nPaid on: `);
    for (const { lines } of parts) {
      for (const { name, value, notes } of lines) {
        expect(text).toContain(plain(value === '' ? name : `${name}: ${value}`));
        for (const note of notes) expect(text).toContain(plain(note.url ?? note.text));
      }
    }
  });

  test('says what the shop accepted where that was less', async () => {
    await choose('en');
    await pay();
    await db.query('UPDATE payments SET amount_due = amount_due * 2 WHERE id = $1', [payment.id]);
    await mail();
    expect(plain((await outbox(db))[0]?.text ?? '')).toContain('You paid 10.00 USDC to');
  });

  test('is not mailed by itself where the merchant gave no address, or in test mode', async () => {
    payment = await shop.create();
    await choose();
    await pay();
    const tested = await openShop(db);
    const other = await tested.create({ customer_email: 'ada@example.com' });
    await write(tested, (tx) => noteReceipt(tx, other.id, 'de'));
    await mail();
    expect(await outbox(db)).toEqual([]);
    expect((await shown()).receipt).toEqual({ sentTo: null });
  });

  test('is forgotten with a payment that ended otherwise', async () => {
    await choose();
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'customer'));
    const { lateUntil } = await paymentById(db, payment.id);
    await mailReceipts(db, deps(), after(lateUntil ?? shop.clock.now(), 1));
    const { rows } = await db.query('SELECT 1 FROM receipt_mails WHERE payment_id = $1', [payment.id]);
    expect(rows).toEqual([]);
  });
});

describe('a customer who asks for the receipt', () => {
  const guards = createGuards({ findKey: async () => null, now: () => shop.clock.now(), rateLimit: true });
  const ask = async (email: string, ip = '198.51.100.7') =>
    await sendReceipt(
      { db, guards, payUrl, now: shop.clock.now },
      await shown(),
      { email, locale: 'en' },
      { ip },
    );

  test('gets it at the address they write, and the page says where it went', async () => {
    await pay();
    expect(await ask('grace@example.org')).toBe('receipt_sent');
    expect((await outbox(db)).map(({ recipient }) => recipient)).toEqual(['grace@example.org']);
    expect((await shown()).receipt).toEqual({ sentTo: 'g•••@example.org' });
  });

  test('gets none before the payment is completed, nor at what is no address', async () => {
    expect(await ask('grace@example.org')).toBe('not_possible');
    await pay();
    for (const email of ['', 'grace', 'a@b', 'a@example.com\r\nBcc: b@example.com'])
      expect(await ask(email)).toBe('not_an_email');
    expect(await outbox(db)).toEqual([]);
  });

  test('is limited: three times for a payment, from wherever', async () => {
    await pay();
    for (const n of [1, 2, 3])
      expect(await ask(`ada${n}@example.com`, `203.0.113.${n}`)).toBe('receipt_sent');
    await expect(ask('ada4@example.com', '203.0.113.4')).rejects.toThrow('Too many requests');
  });
});
