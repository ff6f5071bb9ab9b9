import { hash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { type AccountId, createAccount } from '../accounts/accounts.ts';
import { identityErrors } from '../errors.ts';
import { listSteps } from './steps.ts';

const hoursGood = 24;
const setupLock = 706_771_025;
const tokenLength = 43;

// 256 random bits need no slow hash.
export const setupTokenHash = (token: string): string => hash('sha256', token, 'base64url');

/** The link of the first run: who has its token may restore a backup, or become the first operator. */
export type SetupLink = { token: string; expiresAt: Date };

/** Of what makes and ends links and first operators, one transaction runs at a time. */
async function lockSetup(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [setupLock]);
}

/** Whether somebody uses the installation: one that never had an operator may, and nobody takes it over by a link. */
async function isUsed(reader: Reader): Promise<boolean> {
  const answer = await reader.query<{ is_used: boolean }>(
    'SELECT EXISTS (SELECT FROM accounts) OR EXISTS (SELECT FROM integrations) OR EXISTS (SELECT FROM users) AS is_used',
  );
  return oneRow(answer, 'whether the installation is used').is_used;
}

/** Makes a new link, which ends the one before; null: the installation is in use, and every link has ended. */
export async function makeSetupLink(tx: Tx, now: Date): Promise<SetupLink | null> {
  await lockSetup(tx);
  if (await isUsed(tx)) {
    await tx.query('DELETE FROM setup_links');
    return null;
  }
  const link = { token: randomBase62(tokenLength), expiresAt: after(now, hoursGood * 3600) };
  await tx.query(
    `INSERT INTO setup_links (token_hash, expires_at) VALUES ($1, $2)
     ON CONFLICT (is_only) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [setupTokenHash(link.token), link.expiresAt],
  );
  return link;
}

/** Ends the link, because the command line makes an operator. Called before that, in its transaction. */
export async function endSetupLink(tx: Tx): Promise<void> {
  await lockSetup(tx);
  await tx.query('DELETE FROM setup_links');
}

/** Whether a link was made that nobody has used: until then nobody else makes an account (contract.md#first-run). */
export async function awaitsOperator(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM setup_links LIMIT 1');
  return rowCount === 1;
}

/** Whether there is a link that somebody could still use. */
export async function hasGoodLink(reader: Reader, now: Date): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM setup_links WHERE expires_at > $1', [now]);
  return rowCount === 1;
}

/** Until when the link with this token is good. Throws `setup_link_ended` for every other token, whatever is wrong with it. */
export async function requireSetupLink(reader: Reader, token: string, now: Date): Promise<Date> {
  const { rows } = await reader.query<{ expires_at: Date }>(
    `SELECT expires_at FROM setup_links
     WHERE token_hash = $1 AND expires_at > $2 AND NOT EXISTS (SELECT FROM accounts WHERE is_operator)`,
    [setupTokenHash(token), now],
  );
  const [link] = rows;
  if (!link) throw refuse(identityErrors.setup_link_ended);
  return link.expires_at;
}

/** The person who sets an installation up. */
export type FirstOperator = { name: string; email: string; password: string };

/**
 * Makes the first operator, and ends the link: of two calls with one token the second is refused. The address counts as
 * proved, as for an operator of the command line. Throws `setup_link_ended` and `address_taken`.
 */
export async function makeFirstOperator(
  tx: Tx,
  { token, ...person }: FirstOperator & { token: string },
  now: Date,
): Promise<AccountId> {
  await lockSetup(tx);
  await requireSetupLink(tx, token, now);
  const id = await createAccount(tx, { ...person, isOperator: true, emailVerified: true }, now);
  await tx.query('DELETE FROM setup_links');
  await listSteps(tx, id, now);
  return id;
}
