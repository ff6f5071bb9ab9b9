import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedUser } from '../../test/support/fixtures.ts';
import { outbox } from '../../test/support/mailbox.ts';
import { LOCALES } from '../checkout/locale.ts';
import { transaction } from '../kit/db/db.ts';
import { createAssets } from '../money/assets.ts';
import { type Notice, type NoticeKind, recordNotices } from '../wallets/notices.ts';
import type { UserId } from '../wallets/users.ts';
import { mailNotices, noticeLetter } from './notice-letters.ts';

const { db } = await testDatabase();
const deps = { assets: createAssets(), url: 'https://pay.example/wallet' };
const now = new Date('2026-11-27T10:00:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const money = { mode: 'live', asset: 'usdc-base', units: 12_500_000n } as const;
let ada: UserId;
let bob: UserId;

beforeAll(async () => {
  [ada, bob] = [await seedUser(db, 'ada', 'x'), await seedUser(db, 'bob', 'x')];
  await db.query(
    `UPDATE users SET email = 'ada@example.com', email_confirmed = true, locale = 'de' WHERE id = $1`,
    [ada],
  );
  await db.query(`UPDATE users SET email = 'bob@example.com' WHERE id = $1`, [bob]);
});

/** Amounts have a space that does not break. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const record = (notices: Notice[], at = now) => transaction(db, (tx) => recordNotices(tx, notices, at));
const mailed = async () => (await outbox(db)).map(({ recipient, subject }) => [recipient, plain(subject)]);

describe('notices', () => {
  test('are mailed once each, in the language of their user', async () => {
    await record([
      { ...money, userId: ada, kind: 'received', other: 'bob' },
      { ...money, userId: bob, kind: 'sent', other: 'ada' },
      { ...money, userId: ada, mode: 'test', kind: 'funded', other: 'Nib & Folio' },
    ]);
    await Promise.all([mailNotices(db, deps, now), mailNotices(db, deps, now)]);
    await mailNotices(db, deps, now);
    // Bob has not confirmed his address.
    expect((await mailed()).sort()).toEqual([
      ['ada@example.com', '12,50 USDC sind in Ihrer Wallet angekommen'],
      ['ada@example.com', 'TEST: 12,50 USDC sind in Ihrer Wallet angekommen'],
    ]);
    const first = (await outbox(db)).find(({ subject }) => !subject.startsWith('TEST'));
    expect(first?.text).toContain('bob');
    expect(first?.text).toContain('https://pay.example/wallet/?lang=de');
  });

  test('that nobody mailed within a day are not mailed any more, nor those of an address that is gone', async () => {
    const before = await mailed();
    await record([{ ...money, userId: ada, kind: 'paid', other: 'Nib & Folio' }]);
    await mailNotices(db, deps, hours(25));
    await record([{ userId: ada, mode: null, kind: 'frozen' }]);
    await db.query('UPDATE users SET email = NULL, email_confirmed = false WHERE id = $1', [ada]);
    await mailNotices(db, deps, now);
    expect(await mailed()).toEqual(before);
    const { rows } = await db.query('SELECT FROM wallet_notices WHERE mail_due');
    expect(rows).toEqual([]);
  });

  const kinds: Record<NoticeKind, string> = {
    sent: '12.50 USDC left your wallet',
    received: '12.50 USDC came to your wallet',
    funded: '12.50 USDC came to your wallet',
    paid: '12.50 USDC left your wallet',
    deposit: '12.50 USDC came to your wallet',
    deposit_gone: '12.50 USDC left your wallet',
    address_added: 'The address 0xabc was added to your address book.',
    withdrawal_ordered: 'A withdrawal of 12.50 USDC was ordered',
    withdrawal_sent: '12.50 USDC left your wallet',
    withdrawal_cancelled: 'A withdrawal of 12.50 USDC was not sent',
    withdrawal_failed: 'A withdrawal of 12.50 USDC was not sent',
    frozen: 'Your wallet is frozen. Ask whoever runs it.',
    unfrozen: 'Your wallet is no longer frozen.',
    level: 'What you may move in a day was changed.',
  };

  test.each(Object.entries(kinds))('of the kind %s say so', (kind, subject) => {
    const about = { seq: 1n, about_id: null, created_at: now, ...money, other: '0xabc' };
    const who = { userId: ada, username: 'ada', email: 'ada@example.com' };
    const notice = { ...about, ...who, kind: kind as NoticeKind };
    const { subject: said, text } = noticeLetter(deps, { ...notice, locale: 'en' });
    expect(plain(said)).toBe(subject);
    expect(text).toContain('ada');
    for (const locale of LOCALES) {
      expect(noticeLetter(deps, { ...notice, locale }).text).not.toMatch(/[{}]|undefined/);
    }
  });
});
