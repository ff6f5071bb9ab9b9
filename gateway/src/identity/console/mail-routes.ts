import { Type } from 'typebox';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { listMails, mailStates, queueMail, readMail, retryMail } from '../mail/mail.ts';
import { Changed, MailPage, OpenedMail, TestMail } from './answers/operators.ts';
import type { Console } from './console.ts';

export type OutboxRouteDeps = {
  db: Database;
  /** Without an SMTP server mails stay in the outbox, where operators read them. */
  hasServer: boolean;
};

const OutboxQuery = Type.Object({ ...pageFields, state: Type.Optional(Type.Enum([...mailStates])) });
const readOutboxQuery = queryReader(OutboxQuery);
const readTo = fieldReader(Type.Object({ to: Type.String({ maxLength: 254, format: 'email' }) }));

const testLetter = {
  subject: 'A test of Florin',
  text: 'This is a test: the mails of this installation arrive.\n',
};

/** The outbox. The text of a mail is shown alone, and reading it is noted: its links may give access to an account. */
export function outboxRoutes(dashboard: Console, { db, hasServer }: OutboxRouteDeps): void {
  dashboard.get('operator', '/mails', { answer: MailPage }, async ({ query }) => {
    const { state, ...page } = readOutboxQuery(query);
    const found = await pageById(page, (rows) => listMails(db, { ...rows, state }));
    const items = found.items.map(({ created_at, sent_at, next_attempt_at, ...mail }) => ({
      ...mail,
      created_at: created_at.toISOString(),
      sent_at: sent_at?.toISOString() ?? null,
      next_attempt_at: next_attempt_at?.toISOString() ?? null,
    }));
    return { message: 'Mails', data: { has_server: hasServer, items, next_cursor: found.next_cursor } };
  });

  const reading = { fresh: true, secrets: true };
  dashboard.write(
    'POST',
    'operator',
    '/mails/:mail/open',
    { ...reading, answer: OpenedMail },
    async (tx, { params }) => {
      const id = mailIdOf(params);
      const mail = await readMail(tx, id);
      if (!mail) throw refuse(kitErrors.not_found);
      const { recipient, subject } = mail;
      const change = {
        action: 'read a mail of the outbox',
        subject: { kind: 'mail', id },
        after: { recipient, subject },
      };
      return { message: 'Mail', data: mail, change };
    },
  );

  dashboard.write('POST', 'operator', '/mails/:mail/retry', { answer: Changed }, async (tx, { params }) => {
    const id = mailIdOf(params);
    if (!(await retryMail(tx, id))) throw refuse(kitErrors.not_found);
    const change = { action: 'tried a mail again', subject: { kind: 'mail', id } };
    return { message: 'Mail will be tried', data: { id }, change };
  });

  dashboard.write('POST', 'operator', '/mails/test', { answer: TestMail }, async (tx, { body }) => {
    const { to } = readTo(body);
    await queueMail(tx, { to, ...testLetter });
    const change = { action: 'sent a test mail', subject: { kind: 'mail', id: 'test' }, after: { to } };
    return { message: 'Test mail queued', data: { to }, change };
  });
}

function mailIdOf({ mail = '' }: Record<string, string>): string {
  if (!isUuid(mail)) throw refuse(kitErrors.not_found);
  return mail;
}
