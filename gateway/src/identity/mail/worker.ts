import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';

export type MailWorkerDeps = {
  db: Database;
  /** `smtp://` or `smtps://`, with user and password when the server asks for them; null: nothing is sent. */
  smtpUrl: string | null;
  /** `Florin <florin@example.com>` */
  from: string;
  log: Logger;
};

export type MailWorker = {
  /** Tries every mail that is due once, and resolves with how many there were. */
  sendDue(): Promise<number>;
};

type ClaimedMail = {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  lease: number;
  attempts: number;
};

const batch = 5;
const leaseSeconds = 180;
/** Pauses after the first tries, in seconds; the last one is repeated. */
const pauses = [60, 300, 1_800, 7_200, 21_600];
/** With these pauses, about three days. */
const maxAttempts = 16;
const connectMs = 10_000;
const idleMs = 30_000;
const maxErrorLength = 500;

const claim = {
  name: 'claim-mails',
  text: `UPDATE emails SET lease = lease + 1, lease_until = now() + $2 * interval '1 second',
           attempts = attempts + 1
         WHERE id IN (
           SELECT id FROM emails
           WHERE sent_at IS NULL AND failed_at IS NULL AND next_attempt_at <= now()
             AND (lease_until IS NULL OR lease_until <= now())
           ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING id, recipient, subject, text, html, lease, attempts`,
};

/**
 * Sends mails by SMTP, each under a lease so that any number of workers may run. A mail is tried again for three
 * days; one that was taken by the server while the answer was lost goes out twice, with the same Message-ID.
 */
export function createMailWorker({ db, smtpUrl, from, log }: MailWorkerDeps): MailWorker {
  if (smtpUrl === null) return { sendDue: async () => 0 };
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: idleMs,
  });
  const host = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';

  async function send({ id, lease, attempts, ...mail }: ClaimedMail): Promise<void> {
    const fault = await transport
      .sendMail({
        from,
        to: { name: '', address: mail.recipient },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === null ? {} : { html: mail.html }),
        messageId: `<${id}@${host}>`,
      })
      .then(
        () => null,
        (error: SmtpFault) => error,
      );
    if (!fault) return await recordSent(db, id, lease);
    log.warn({ err: fault, mail: id, attempts }, 'a mail could not be sent');
    await recordFault(db, { id, lease, attempts }, fault);
  }

  return {
    async sendDue() {
      let tried = 0;
      for (;;) {
        const { rows } = await db.query<ClaimedMail>({ ...claim, values: [batch, leaseSeconds] });
        await Promise.all(rows.map(send));
        tried += rows.length;
        if (rows.length < batch) return tried;
      }
    },
  };
}

async function recordSent(db: Database, id: string, lease: number): Promise<void> {
  await db.query(
    `UPDATE emails SET sent_at = now(), text = NULL, html = NULL, last_error = NULL, lease_until = NULL
     WHERE id = $1 AND lease = $2`,
    [id, lease],
  );
}

type SmtpFault = Error & { code?: string; responseCode?: number };

async function recordFault(
  db: Database,
  { id, lease, attempts }: { id: string; lease: number; attempts: number },
  fault: SmtpFault,
): Promise<void> {
  const pause = pauses[Math.min(attempts, pauses.length) - 1];
  await db.query(
    `UPDATE emails SET last_error = $3, lease_until = NULL, next_attempt_at = now() + $4 * interval '1 second',
       failed_at = CASE WHEN $5 THEN now() END
     WHERE id = $1 AND lease = $2`,
    [id, lease, fault.message.slice(0, maxErrorLength), pause, isFinal(fault) || attempts >= maxAttempts],
  );
}

/** Whether the server refused this very mail for good; whatever else is wrong may be mended meanwhile. */
function isFinal({ code, responseCode = 0 }: SmtpFault): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode < 600;
}
