import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expireLeases, testDatabase } from '../../../test/support/database.ts';
import { silentLog } from '../../../test/support/fixtures.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { type Mailbox, openMailbox, outbox } from '../../../test/support/mailbox.ts';
import { after } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { takeLease } from '../../kit/db/lease.ts';
import { html } from '../../kit/http/html.ts';
import { newId } from '../../kit/ids.ts';
import { forgetMails, listMails, queueMail, retryMail } from './mail.ts';
import { createMailWorker, type MailWorker, mailLease } from './worker.ts';

const from = 'Florin <florin@shop.example>';
const page = { before: null, limit: 50 };
let mailbox: Mailbox;
let worker: MailWorker;
const { db } = await testDatabase();
beforeEach(async () => {
  await db.query('DELETE FROM emails');
  await db.query('DELETE FROM leases');
  mailbox = await openMailbox();
  worker = workerTo(mailbox.url);
});
afterEach(() => mailbox.close());

function workerTo(smtpUrl: string | null): MailWorker {
  return createMailWorker({ db, smtpUrl, from, log: silentLog });
}

async function queue(subject = 'A subject', to = 'ada@example.com'): Promise<void> {
  await queueMail(db, { kind: 'test', to, subject, text: 'Grüße\n', html: html`<p>${'Tom & Ada'}</p>` });
}

/** Makes every waiting mail due. */
async function pass(): Promise<void> {
  await db.query('UPDATE emails SET next_attempt_at = now() WHERE sent_at IS NULL');
}

describe('a mail', () => {
  test('is sent as text and HTML, from the configured sender, and then its texts are deleted', async () => {
    await queue();
    expect(await worker.sendDue()).toBe(1);
    const [mail] = mailbox.mails;
    expect(mail).toMatchObject({ to: ['ada@example.com'], subject: 'A subject' });
    expect(mail!.source).toContain(`From: ${from}`);
    expect(mail!.source).toContain('Grüße');
    expect(mail!.source).toContain('<p>Tom &amp; Ada</p>');
    const [kept] = await listMails(db, page);
    expect(kept).toMatchObject({ state: 'sent', attempts: 1, has_text: false, next_attempt_at: null });
    expect(kept!.sent_at).toBeInstanceOf(Date);
    const { rows } = await db.query('SELECT id, letter FROM emails');
    expect(rows[0]!.letter).toBeNull();
    expect(mail!.source).toContain(`Message-ID: <${rows[0]!.id}@shop.example>`);
  });

  test('goes to one address only, whatever characters it has', async () => {
    await queue('x', `"ada@example.com, eve"@example.com`);
    await queue('A\r\nBcc: eve@example.com');
    await worker.sendDue();
    const recipients = mailbox.mails.flatMap(({ to }) => to);
    expect(recipients).not.toContain('eve@example.com');
    expect(recipients).not.toContain('eve');
  });

  test('is not sent when its transaction does not commit', async () => {
    const failing = transaction(db, async (tx) => {
      await queueMail(tx, { kind: 'test', to: 'ada@example.com', subject: 'x', text: 'x' });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await worker.sendDue()).toBe(0);
  });

  test('waits, and can be read, without a server', async () => {
    await queue();
    expect(await workerTo(null).sendDue()).toBe(0);
    expect(await listMails(db, page)).toMatchObject([{ state: 'waiting', attempts: 0, has_text: true }]);
    expect(await outbox(db)).toMatchObject([{ text: 'Grüße\n' }]);
    const { rows } = await db.query<{ all: string }>('SELECT emails::text AS all FROM emails');
    expect(rows[0]!.all).not.toContain(Buffer.from('Grü').toString('hex'));
  });

  test('is sent once by two workers', async () => {
    for (let index = 0; index < 20; index++) await queue(`Mail ${index}`);
    const tried = await Promise.all([worker.sendDue(), workerTo(mailbox.url).sendDue()]);
    expect(tried[0]! + tried[1]!).toBe(20);
    expect(new Set(mailbox.mails.map(({ subject }) => subject)).size).toBe(20);
    expect(mailbox.mails).toHaveLength(20);
  });
});

describe('a mail that cannot be sent', () => {
  test('waits for the server to come back', async () => {
    const [port] = await freePorts(1);
    await queue();
    await workerTo(`smtp://127.0.0.1:${port}`).sendDue();
    const [mail] = await listMails(db, page);
    expect(mail).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(mail!.last_error).toContain('ECONNREFUSED');
    expect(mail!.next_attempt_at!.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(await worker.sendDue()).toBe(0);
    await pass();
    expect(await worker.sendDue()).toBe(1);
    expect(await listMails(db, page)).toMatchObject([{ state: 'sent', attempts: 2, last_error: null }]);
  });

  test('is tried again after a temporary refusal, at growing intervals', async () => {
    mailbox.refuse(2, 451);
    await queue();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      await worker.sendDue();
      const { rows } = await db.query<{ wait: number }>(
        'SELECT round(extract(epoch FROM next_attempt_at - now()) / 60)::integer AS wait FROM emails',
      );
      waits.push(rows[0]!.wait);
      await pass();
    }
    expect(waits).toEqual([1, 5]);
    await worker.sendDue();
    expect(mailbox.mails).toHaveLength(1);
  });

  test('fails after a permanent refusal, until somebody asks for another attempt', async () => {
    mailbox.refuse(1, 550);
    await queue();
    await worker.sendDue();
    await pass();
    expect(await worker.sendDue()).toBe(0);
    const [failed] = await listMails(db, page);
    expect(failed).toMatchObject({ state: 'failed', next_attempt_at: null, has_text: true });
    expect(await transaction(db, (tx) => retryMail(tx, failed!.id))).toBe(true);
    expect(await worker.sendDue()).toBe(1);
    expect(mailbox.mails).toHaveLength(1);
    expect(await transaction(db, (tx) => retryMail(tx, failed!.id))).toBe(false);
  });

  test('does not fail because the server refuses our password', async () => {
    const strict = await openMailbox({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
    });
    await queue();
    await workerTo(strict.url.replace('smtp://', 'smtp://florin:wrong@')).sendDue();
    expect(await listMails(db, page)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await strict.close();
  });

  test('fails after three days', async () => {
    mailbox.refuse(100, 451);
    await queue();
    for (let attempt = 0; attempt < 16; attempt++) {
      expect(await listMails(db, page)).toMatchObject([{ state: 'waiting' }]);
      await worker.sendDue();
      await pass();
    }
    expect(await listMails(db, page)).toMatchObject([{ state: 'failed', attempts: 16 }]);
  });

  test('is sent by another worker when the one that had it died', async () => {
    await queue();
    await takeLease(db, { name: mailLease, holder: newId(), seconds: 60 });
    expect(await worker.sendDue()).toBe(0);
    await expireLeases(db);
    expect(await worker.sendDue()).toBe(1);
  });

  test('is tried again when its outcome could not be written, because another worker took over', async () => {
    const slow = await openMailbox({
      async onRcptTo(_address, _session, done) {
        await db.query('DELETE FROM leases');
        await takeLease(db, { name: mailLease, holder: newId(), seconds: 60 });
        done();
      },
    });
    await queue();
    await workerTo(slow.url).sendDue();
    expect(await listMails(db, page)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await pass();
    await expireLeases(db);
    expect(await worker.sendDue()).toBe(1);
    expect([...slow.mails, ...mailbox.mails]).toHaveLength(2);
    await slow.close();
  });
});

test('mails are listed newest first, page by page, and deleted some time after they were sent', async () => {
  for (const subject of ['one', 'two', 'three']) await queue(subject);
  const first = await listMails(db, { before: null, limit: 2 });
  const second = await listMails(db, { before: first[1]!.id, limit: 2 });
  // Ids are made from the time, to the millisecond.
  const ids = [...first, ...second].map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(new Set(ids).size).toBe(3);
  await forgetMails(db, after(new Date(), 60));
  expect(await listMails(db, page)).toHaveLength(3);
  await worker.sendDue();
  await forgetMails(db, after(new Date(), 60));
  expect(await listMails(db, page)).toEqual([]);
});
