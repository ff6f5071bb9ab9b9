import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { openShop, report, type Shop } from '../../../test/support/payment-fixtures.ts';
import { createAccount } from '../../identity/accounts/accounts.ts';
import { transaction } from '../../kit/db/db.ts';
import { mailReversals } from './reversal-mails.ts';

const { db } = await testDatabase();
let shop: Shop;
let lines: Record<string, unknown>[];
for (const email of ['operator@example.com', 'somebody@example.com']) {
  const account = { email, name: email, password: 'correct horse battery', emailVerified: true };
  const id = await transaction(db, (tx) => createAccount(tx, account, new Date()));
  await db.query('UPDATE accounts SET is_operator = $2 WHERE id = $1', [id, email.startsWith('operator')]);
}
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  lines = [];
  await db.query('DELETE FROM emails');
});

const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const mail = () =>
  mailReversals(db, { assets: shop.assets, baseUrl: 'https://pay.example', now: shop.clock.now, log });

/** A payment whose transfer was final and has left its chain. */
async function reverse(of: Shop): Promise<string> {
  const payment = await of.create();
  for (const state of ['final', 'gone'] as const) {
    await report(of, payment, { key: payment.id, units: 10_000_000n, state });
  }
  return payment.reference;
}

test('operators get one mail and a line in the log for each transfer that was booked and left its chain', async () => {
  const references = [await reverse(shop), await reverse(shop)];
  const mailed = await Promise.all([mail(), mail()]);
  expect(mailed[0] + mailed[1]).toBe(2);
  expect(await mail()).toBe(0);
  const rows = await outbox(db);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    recipient: 'operator@example.com',
    subject: '2 booked transfers are gone from the chain',
  });
  expect(rows[0]!.text).toContain('https://pay.example/app/operator/appeals');
  for (const reference of references) {
    expect(rows[0]!.text).toContain(`10 USDC on Ethereum for payment ${reference} of Corner shop`);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 50, reference, asset: 'usdc-erc20', units: '10000000' }),
    );
  }
});

test('nobody gets a mail about test money', async () => {
  await reverse(await openShop(db));
  expect(await mail()).toBe(0);
  expect((await db.query('SELECT FROM emails')).rowCount).toBe(0);
});
