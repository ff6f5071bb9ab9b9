import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { openLetter } from '../../src/identity/mail/mail.ts';
import type { Database } from '../../src/kit/db/db.ts';

/** A mail as it came: where to, and its source without the encoding of the transport. */
export type ReceivedMail = { to: string[]; subject: string; source: string };

/** An SMTP server that keeps what it is given. */
export type Mailbox = {
  /** For `SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  /** Answers the next mails with this error instead of taking them. */
  refuse(times: number, responseCode: number): void;
  close(): Promise<void>;
};

/** Opens a mailbox on a free port of this machine. */
export async function openMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  let refusal = { times: 0, responseCode: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    async onData(stream, session, done) {
      const received = await buffer(stream).catch(() => null);
      // A mail that breaks off with its connection was never received.
      if (!received) return;
      if (refusal.times > 0) {
        refusal.times--;
        return done(Object.assign(new Error('Not now'), { responseCode: refusal.responseCode }));
      }
      const raw = received.toString('utf8');
      const source = readable(raw);
      const subject = wordsOf(/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? '');
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), subject, source });
      done();
    },
  });
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    refuse(times, responseCode) {
      refusal = { times, responseCode };
    },
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}

export type KeptMail = { recipient: string; subject: string; text: string; html: string | null };

/** The mails of the outbox that were not sent, oldest first, opened with the seal that the database carries. */
export async function outbox(db: Database): Promise<KeptMail[]> {
  const { rows } = await db.query<{ id: string; recipient: string; subject: string; letter: Buffer }>(
    'SELECT id, recipient, subject, letter FROM emails WHERE sent_at IS NULL ORDER BY id',
  );
  return rows.map(({ recipient, subject, ...kept }) => ({
    recipient,
    subject,
    ...openLetter(db, kept),
  }));
}

/** A header on one line, without the encoding of letters that are not of ASCII (RFC 2047). */
function wordsOf(header: string): string {
  const decoded = (word: string) =>
    decodeURIComponent(
      word
        .replaceAll('%', '%25')
        .replaceAll('_', ' ')
        .replace(/=([0-9A-F]{2})/g, '%$1'),
    );
  return header
    .replace(/\?=\r\n[ \t]=\?UTF-8\?Q\?/g, '')
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) => decoded(word))
    .replace(/\r\n[ \t]+/g, ' ');
}

/** Quoted-printable lines as they were before, and headers on one line each. */
function readable(source: string): string {
  return source
    .replaceAll('\r\n', '\n')
    .replace(/=\n/g, '')
    .replace(/\n[ \t]+(?=\S)/g, ' ')
    .replace(/(?:=[0-9A-F]{2})+/g, (codes) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString('utf8'));
}

/** The first link of a mail that leads to this page of the dashboard. */
export function linkIn({ source }: ReceivedMail, page: string): URL {
  const link = new RegExp(`https?://\\S+/app/${page}\\S*`).exec(source)?.[0];
  if (!link) throw new Error(`No link to ${page} in\n${source}`);
  return new URL(link);
}
