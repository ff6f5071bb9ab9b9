import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';
import { type Lease, LeaseLost, leaveLease, takeLease, writeUnderLease } from '../../kit/db/lease.ts';
import { newId } from '../../kit/ids.ts';
import { openLetter } from './mail.ts';
import { openTransport } from './transport.ts';

export type MailWorkerDeps = {
  db: Database;
  /** `smtp://` or `smtps://`, with user and password if the server needs them; null: no mail is sent. */
  smtpUrl: string | null;
  /** `Florin <florin@example.com>` */
  from: string;
  log: Logger;
};

export type MailWorker = {
  /** Tries every mail that is due once; resolves to how many were tried. */
  sendDue(): Promise<number>;
};

type DueMail = {
  id: string;
  recipient: string;
  subject: string;
  letter: Buffer;
  attempts: number;
};

/** The lease of the process that sends mails. */
export const mailLease = 'mails';

const batch = 5;
/** Longer than a batch takes with the slowest server. */
const leaseSeconds = 180;
/** Pauses after the first tries, in seconds; the last one is repeated. */
const pauses = [60, 300, 1_800, 7_200, 21_600];
/** With these pauses, about three days. */
const maxAttempts = 16;
const maxErrorLength = 500;

const isDue = 'sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= now()';

const anyDueSql = { name: 'any-mail-due', text: `SELECT FROM emails WHERE ${isDue} LIMIT 1` };

// An attempt is counted before it is made. If its outcome cannot be written, it is made again later.
const beginSql = {
  name: 'begin-mails',
  text: `UPDATE emails SET attempts = attempts + 1, next_attempt_at = now() + $2 * interval '1 second'
         WHERE id IN (SELECT id FROM emails WHERE ${isDue} ORDER BY next_attempt_at LIMIT $1)
         RETURNING id, recipient, subject, letter, attempts`,
};

/**
 * Sends mails by SMTP. Any number of processes may have a worker; the one with the lease sends. A mail is tried again for
 * three days. If the server takes a mail and its answer is lost, the mail goes out twice, with the same Message-ID.
 */
export function createMailWorker({ db, smtpUrl, from, log }: MailWorkerDeps): MailWorker {
  if (smtpUrl === null) return { sendDue: async () => 0 };
  const url: string = smtpUrl;
  let opened: Promise<Transporter> | undefined;
  const terms = { name: mailLease, holder: newId(), seconds: leaseSeconds };
  const host = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';

  const transport = (): Promise<Transporter> => {
    opened ??= openTransport(url);
    return opened;
  };

  async function deliver({ id, letter, recipient, subject }: DueMail): Promise<void> {
    const { text, html } = openLetter(db, { id, letter });
    await (await transport()).sendMail({
      from,
      to: { name: '', address: recipient },
      subject,
      text,
      ...(html === null ? {} : { html }),
      messageId: `<${id}@${host}>`,
    });
  }

  async function send(lease: Lease, mail: DueMail): Promise<void> {
    const { id, attempts } = mail;
    const fault = await deliver(mail).then(
      () => null,
      (error: SmtpFault) => error,
    );
    if (!fault) return await recordSent(db, lease, id);
    log.warn({ err: fault, mail: id, attempts }, 'a mail could not be sent');
    await recordFault(db, lease, { id, attempts }, fault);
  }

  async function sendBatch(lease: Lease): Promise<number> {
    const { rows } = await writeUnderLease(db, lease, (tx) =>
      tx.query<DueMail>({ ...beginSql, values: [batch, leaseSeconds] }),
    );
    await Promise.all(rows.map((mail) => send(lease, mail)));
    return rows.length;
  }

  return {
    async sendDue() {
      const { rowCount } = await db.query(anyDueSql);
      const lease = rowCount === 0 ? null : await takeLease(db, terms);
      if (!lease) return 0;
      let tried = 0;
      try {
        for (let last = batch; last === batch; tried += last) last = await sendBatch(lease);
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
        log.info('another process sends mails now');
      } finally {
        // Without the database the lease expires by itself.
        await leaveLease(db, terms).catch(() => {});
      }
      return tried;
    },
  };
}

async function recordSent(db: Database, lease: Lease, id: string): Promise<void> {
  await writeUnderLease(db, lease, (tx) =>
    tx.query('UPDATE emails SET sent_at = now(), letter = NULL, last_error = NULL WHERE id = $1', [id]),
  );
}

type SmtpFault = Error & { code?: string; responseCode?: number };

async function recordFault(
  db: Database,
  lease: Lease,
  { id, attempts }: { id: string; attempts: number },
  fault: SmtpFault,
): Promise<void> {
  const pause = pauses[Math.min(attempts, pauses.length) - 1];
  await writeUnderLease(db, lease, (tx) =>
    tx.query(
      `UPDATE emails SET last_error = $2, next_attempt_at = now() + $3 * interval '1 second',
         failed_at = CASE WHEN $4 THEN now() END
       WHERE id = $1`,
      [id, fault.message.slice(0, maxErrorLength), pause, isFinal(fault) || attempts >= maxAttempts],
    ),
  );
}

/** Whether the server refused this mail for good. Every other fault may pass. */
function isFinal({ code, responseCode = 0 }: SmtpFault): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode < 600;
}
