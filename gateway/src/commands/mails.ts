import { commandActor, recordChange } from '../identity/audit/audit-log.ts';
import { listMails, type Mail, readMail, type ShownMail } from '../identity/mail/mail.ts';
import { systemClock } from '../kit/clock.ts';
import { type Tx, transaction } from '../kit/db/db.ts';
import { isUuid } from '../kit/ids.ts';
import { openSeal } from '../operations/master-key.ts';
import { withDatabase } from './with-database.ts';

const mostListed = 100;

/** Lists the newest mails that wait in the outbox, without their texts. Returns the exit code. */
export async function listWaitingMails(env: NodeJS.ProcessEnv): Promise<number> {
  const mails = await withDatabase(env, (db) =>
    listMails(db, { before: null, limit: mostListed, state: 'waiting' }),
  );
  process.stdout.write(mails.length === 0 ? 'no mail waits\n' : mails.map(lineOf).join(''));
  return 0;
}

function lineOf({ id, created_at, recipient, subject }: Mail): string {
  return `${id}  ${created_at.toISOString()}  ${recipient}  ${subject}\n`;
}

/**
 * Prints a mail that was not sent, and writes that to the staff log. With a mail server, a mail that gives access is not
 * shown. Returns the exit code.
 */
export async function showMail(env: NodeJS.ProcessEnv, id: string): Promise<number> {
  if (!isUuid(id)) throw new Error(`${id} is not the id of a mail`);
  const mail = await withDatabase(env, async (db, config) => {
    await openSeal(db, config.masterKey);
    return await transaction(db, (tx) => read(tx, id, { showsAccess: config.smtpUrl === null }));
  });
  if (!mail) {
    throw new Error(
      `no mail ${id} can be shown: it is unknown, was sent, or gives access where SMTP_URL is set`,
    );
  }
  process.stdout.write(`To: ${mail.recipient}\nSubject: ${mail.subject}\n\n${mail.text}`);
  return 0;
}

async function read(tx: Tx, id: string, order: { showsAccess: boolean }): Promise<ShownMail | null> {
  const mail = await readMail(tx, id, order);
  if (!mail) return null;
  const { recipient, subject } = mail;
  const change = {
    action: 'read a mail of the outbox',
    subject: { kind: 'mail', id },
    after: { recipient, subject },
  };
  await recordChange(tx, commandActor, change, systemClock());
  return mail;
}
