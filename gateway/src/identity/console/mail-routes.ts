import { Type } from 'typebox';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { listMails, mailStates, queueMail, readMail, retryMail } from '../mail/mail.ts';
import { Changed, MailPage, OpenedMail, TestMail } from './answers/operators.ts';
import type { Call, Console } from './console.ts';

export type OutboxRouteDeps = {
  db: Database;
  /** Without an SMTP server mails stay in the outbox. */
  hasServer: boolean;
  /** Only this machine reaches the gateway. */
  isLocal: boolean;
};

const OutboxQuery = Type.Object({ ...pageFields, state: Type.Optional(Type.Enum([...mailStates])) });
const readOutboxQuery = queryReader(OutboxQuery);
const readTo = fieldReader(Type.Object({ to: Type.String({ maxLength: 254, format: 'email' }) }));

const testLetter = {
  kind: 'test',
  subject: 'A test of Florin',
  text: 'This is a test: the mails of this installation arrive.\n',
} as const;

/**
 * The outbox. The text of a mail is shown by a call of its own, which is noted. The text of mails that give access is shown
 * only in a demo: an operator who read them could act as two persons of a business (contract.md#money-out).
 */
export function outboxRoutes(dashboard: Console, { db, hasServer, isLocal }: OutboxRouteDeps): void {
  const showsAccess = ({ session }: Call<'operator'>) => !hasServer && isLocal && session.account.isDemo;

  dashboard.get('operator', '/mails', { answer: MailPage }, async (call) => {
    const { state, ...page } = readOutboxQuery(call.query);
    const found = await pageById(page, (rows) => listMails(db, { ...rows, state }));
    const items = found.items.map(({ created_at, sent_at, next_attempt_at, gives_access, ...mail }) => ({
      ...mail,
      is_hidden: gives_access && !showsAccess(call),
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
    async (tx, call) => {
      const id = mailIdOf(call.params);
      const mail = await readMail(tx, id, { showsAccess: showsAccess(call) });
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
