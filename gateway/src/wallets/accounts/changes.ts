import { forgetPlacesOf } from '../../identity/accounts/known-places.ts';
import { hashPassword } from '../../identity/accounts/passwords.ts';
import { type Change, recordChange } from '../../identity/audit/audit-log.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import type { UserId } from '../users.ts';
import { endUserSessions } from './sessions.ts';
import { endAllTokens, makeToken, useToken } from './tokens.ts';

/** A user who changes something of their own, and from where. */
export type Changer = { id: UserId; username: string; address: string };

/** Notes in the audit log what a user changed of how they sign in. */
export async function recordUserChange(
  tx: Tx,
  { id, username, address }: Changer,
  change: Pick<Change, 'action' | 'before' | 'after'>,
  now: Date,
): Promise<void> {
  const actor = { kind: 'user', id, name: username, asOperator: false, address } as const;
  await recordChange(tx, actor, { ...change, subject: { kind: 'user', id } }, now);
}

/** Gives a user another password and ends every session but the one with the id `but`. */
export async function setPassword(
  tx: Tx,
  changer: Changer,
  { password, but }: { password: string; but: string | null },
  now: Date,
): Promise<void> {
  await writePassword(tx, changer.id, password);
  await endUserSessions(tx, changer.id, but);
  await recordUserChange(tx, changer, { action: 'changed the password' }, now);
}

/** The same for somebody who forgot it: all sessions end, and the places that the user knew are forgotten. */
export async function resetPassword(tx: Tx, changer: Changer, password: string, now: Date): Promise<void> {
  await writePassword(tx, changer.id, password);
  await endUserSessions(tx, changer.id);
  await forgetPlacesOf(tx, changer.id);
  await recordUserChange(tx, changer, { action: 'reset the password' }, now);
}

/** Gives somebody who cannot get in a password that they replace at the sign-in. It ends what `resetPassword` ends. */
export async function givePassword(tx: Tx, id: UserId, password: string): Promise<void> {
  await writePassword(tx, id, password, true);
  await endUserSessions(tx, id);
  await forgetPlacesOf(tx, id);
}

/** `isGiven`: others made it, and know it. */
async function writePassword(tx: Tx, id: UserId, password: string, isGiven = false): Promise<void> {
  await tx.query('UPDATE users SET password_hash = $2, password_given = $3 WHERE id = $1', [
    id,
    await hashPassword(password),
    isGiven,
  ]);
  await endAllTokens(tx, id);
}

/** Sets or removes the address of a user; returns the token of the link that confirms it, null without an address. */
export async function setEmail(
  tx: Tx,
  changer: Changer,
  email: string | null,
  now: Date,
): Promise<string | null> {
  const { rows } = await tx.query<{ before: string | null }>(
    `WITH old AS (SELECT email FROM users WHERE id = $1 FOR UPDATE)
     UPDATE users SET email = $2, email_confirmed = email_confirmed AND users.email IS NOT DISTINCT FROM $2
     FROM old WHERE id = $1 RETURNING old.email AS before`,
    [changer.id, email],
  );
  const before = rows[0]?.before ?? null;
  if (before !== email) {
    const change = { action: 'changed the e-mail address', before: { email: before }, after: { email } };
    await recordUserChange(tx, changer, change, now);
    // A link to reset the password went to the address of before.
    await endAllTokens(tx, changer.id);
  }
  return email === null
    ? null
    : await makeToken(tx, 'confirm_email', { userId: changer.id, value: email }, now);
}

/** Uses the link that confirms an address; false when it is not good any more. */
export async function confirmEmail(tx: Tx, token: string, now: Date): Promise<boolean> {
  const used = await useToken(tx, 'confirm_email', token, now);
  if (!used) return false;
  const { rowCount } = await tx.query(
    'UPDATE users SET email_confirmed = true WHERE id = $1 AND email = $2',
    [used.userId, used.value],
  );
  return rowCount === 1;
}

export type Contact = { id: UserId; username: string; email: string | null; locale: string };

/** The name, the language, and the confirmed address of a user, if there is one. */
export async function contactOf(reader: Reader, userId: UserId): Promise<Contact> {
  const { rows } = await reader.query<Contact>(
    `SELECT id, username, CASE WHEN email_confirmed THEN email END AS email, locale FROM users WHERE id = $1`,
    [userId],
  );
  const row = rows[0];
  if (!row) throw new Error(`No user ${userId}`);
  return row;
}

/** Notes in which language a user reads pages, for mails. */
export async function noteLocale(reader: Reader, userId: UserId, locale: string): Promise<void> {
  await reader.query('UPDATE users SET locale = $2 WHERE id = $1 AND locale <> $2', [userId, locale]);
}

/** Sets in which currency a user sees what their coins are worth; null: in none. */
export async function setValueCurrency(
  reader: Reader,
  userId: UserId,
  currency: PriceCurrency | null,
): Promise<void> {
  await reader.query('UPDATE users SET value_currency = $2 WHERE id = $1', [userId, currency]);
}
