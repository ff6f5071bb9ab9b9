import type { FastifyRequest } from 'fastify';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { accountEmail } from '../accounts/accounts.ts';
import { withUnusedCode } from '../accounts/one-time-code.ts';
import type { Session } from '../accounts/sessions.ts';
import { type Change, recordChange } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import { securityLetter } from '../mail/letters.ts';
import { queueMail } from '../mail/mail.ts';
import type { Call } from './console.ts';
import type { AuthRoutesDeps } from './sign-in/auth-open.ts';

/** An account as the subject of a change. */
export function subjectOf({ id }: Pick<Session['account'], 'id'>): Change['subject'] {
  return { kind: 'account', id };
}

/** A change of somebody's own account that was made without a session, for the audit log. */
export async function recordAccountEvent(
  tx: Tx,
  request: FastifyRequest,
  event: { accountId: string } & Pick<Change, 'action' | 'before' | 'after'>,
  now: Date,
): Promise<void> {
  const { accountId, ...change } = event;
  const actor = {
    kind: 'account',
    id: accountId,
    name: await accountEmail(tx, accountId),
    asOperator: false,
    address: request.ip,
  } as const;
  await recordChange(tx, actor, { ...change, subject: { kind: 'account', id: accountId } }, now);
}

/** Mails the owner of an account what was done to it: `the password was changed`. */
export async function warnOwner(tx: Tx, request: FastifyRequest, email: string, what: string): Promise<void> {
  await queueMail(tx, { to: email, ...securityLetter(what, `the address ${request.ip}`) });
}

/**
 * Runs `work`, which checks a code of an authenticator app. A code that was used before is refused, and the owner gets a
 * mail: somebody else may have seen it.
 */
export async function withCode<T>(
  { db, guards }: Pick<AuthRoutesDeps, 'db' | 'guards'>,
  request: FastifyRequest,
  { id, email, code }: { id: string; email: string; code: string },
  work: () => Promise<T>,
): Promise<T> {
  return await withUnusedCode(db, id, code, work).catch(async (error: unknown) => {
    const isReused = error instanceof Refusal && error.row === identityErrors.code_used;
    if (isReused && (await guards.mayMail(email, 'reused code'))) {
      const what = 'a one-time code was given a second time, and refused';
      await transaction(db, (tx) => warnOwner(tx, request, email, what));
    }
    throw error;
  });
}

type RecordChange = (tx: Tx, change: Change) => Promise<void>;

/** Notes in the audit log how somebody changed their own sign-in, and mails it to them. */
export async function noteMethodChange(
  db: Database,
  { session, request }: Call<'account'>,
  record: RecordChange,
  { action, warning }: { action: string; warning: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    await record(tx, { action, subject: subjectOf(session.account) });
    await warnOwner(tx, request, session.account.email, warning);
  });
}
