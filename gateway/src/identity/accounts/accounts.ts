import type { Reader, Tx } from '../../kit/db/db.ts';
import { isUniqueViolation } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { type FieldJudge, invalid } from '../../kit/http/fields.ts';
import { type Id, newId, randomBase62 } from '../../kit/ids.ts';
import { identityErrors } from '../errors.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { needsSecondFactorSql } from './second-factor.ts';

/** A person who signs in to the dashboard. */
export type AccountId = Id<'account'>;

export type NewAccount = {
  email: string;
  name: string;
  password: string;
  isOperator?: boolean;
  emailVerified?: boolean;
  /** Made with the demo. */
  isDemo?: boolean;
  /** Until when a password counts that somebody else chose. The owner must choose another at the first sign-in. */
  passwordGivenUntil?: Date;
};

// As strict as better-auth: an account with an address that it refuses could not sign in again.
const addressPattern =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const maxAddress = 254;

export function isAccountEmail(text: string): boolean {
  return text.length <= maxAddress && addressPattern.test(text);
}

/** Checks the address of an account that is made or changed. */
export const judgeAccountEmail: FieldJudge = (value) =>
  typeof value === 'string' && isAccountEmail(value)
    ? null
    : invalid('email', value === undefined ? 'is required' : 'must be an e-mail address');

/**
 * Makes an account that signs in with this password. Throws `address_taken` when there is one with the address,
 * which is compared in lower case.
 */
export async function createAccount(
  tx: Tx,
  { password, ...input }: NewAccount,
  now: Date,
): Promise<AccountId> {
  return await addAccount(tx, { ...input, passwordHash: await hashPassword(password) }, now);
}

/** Does the same with a hash that was made before. */
export async function addAccount(
  tx: Tx,
  { passwordHash, ...input }: Omit<NewAccount, 'password'> & { passwordHash: string },
  now: Date,
): Promise<AccountId> {
  const id = newId<'account'>(now);
  const email = input.email.toLowerCase();
  if (!isAccountEmail(email)) throw invalid('email', 'must be an e-mail address');
  try {
    await tx.query(
      `INSERT INTO accounts (id, email, email_verified, name, is_operator, is_demo, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [
        ...[id, email, input.emailVerified ?? false, input.name],
        ...[input.isOperator ?? false, input.isDemo ?? false, now],
      ],
    );
  } catch (error) {
    throw isUniqueViolation(error, 'accounts_email_key') ? refuse(identityErrors.address_taken) : error;
  }
  await tx.query(
    `INSERT INTO credentials (id, account_id, provider, provider_account_id, password_hash, given_until, created_at,
       updated_at)
     VALUES ($1, $2::uuid, 'credential', $2::uuid::text, $3, $4, $5, $5)`,
    [newId(now), id, passwordHash, input.passwordGivenUntil ?? null, now],
  );
  return id;
}

/** The address of an account; throws when there is no such account. */
export async function accountEmail(reader: Reader, id: string): Promise<string> {
  const { rows } = await reader.query<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]);
  const row = rows[0];
  if (!row) throw new Error(`No account ${id}`);
  return row.email;
}

export async function accountByEmail(
  reader: Reader,
  email: string,
): Promise<{ id: AccountId; emailVerified: boolean } | null> {
  const { rows } = await reader.query<{ id: AccountId; emailVerified: boolean }>(
    'SELECT id, email_verified AS "emailVerified" FROM accounts WHERE email = $1',
    [email.toLowerCase()],
  );
  return rows[0] ?? null;
}

/** Notes that a link in a mail proved the account's address; false when that was noted before. */
export async function confirmAddress(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE accounts SET email_verified = true, updated_at = $2 WHERE id = $1 AND NOT email_verified',
    [id, now],
  );
  return rowCount === 1;
}

/** Gives the account an address that its owner has proved. A unique violation: another account has it. */
export async function changeAddress(tx: Tx, id: string, email: string, now: Date): Promise<void> {
  await tx.query('UPDATE accounts SET email = $2, email_verified = true, updated_at = $3 WHERE id = $1', [
    id,
    email,
    now,
  ]);
}

/** Gives the account another password. */
export async function changePassword(tx: Tx, id: string, password: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE credentials SET password_hash = $2, given_until = NULL, updated_at = $3
     WHERE account_id = $1 AND provider = 'credential'`,
    [id, await hashPassword(password), now],
  );
}

/** Until when an account's password counts that somebody else chose; null: its owner chose it. */
export async function givenUntil(reader: Reader, id: string): Promise<Date | null> {
  const { rows } = await reader.query<{ given_until: Date | null }>(
    `SELECT given_until FROM credentials WHERE account_id = $1 AND provider = 'credential'`,
    [id],
  );
  return rows[0]?.given_until ?? null;
}

/** The hash of an account's password, or null when it has none. */
export async function passwordHashOf(reader: Reader, id: string | null): Promise<string | null> {
  const { rows } = await reader.query<{ password_hash: string | null }>(
    `SELECT password_hash FROM credentials WHERE account_id = $1 AND provider = 'credential'`,
    [id],
  );
  return rows[0]?.password_hash ?? null;
}

// The hash of a password that nobody has, made once.
let decoy: Promise<string> | undefined;

/** Whether this is the account's password. Takes the same time when there is no account, or it has no password. */
export async function isPasswordOf(reader: Reader, id: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBase62(32));
  const nobodys = await decoy;
  const hash = await passwordHashOf(reader, id);
  const isRight = await isPassword(hash ?? nobodys, password);
  return isRight && hash !== null;
}

/**
 * Notes that a link in a mail proved the account's address. If it was not proved before, somebody else may have made the
 * account, so its passkeys and its second factor are removed, unless the account must have one: a mailbox is no second factor.
 */
export async function claimAccount(tx: Tx, id: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE accounts SET email_verified = true, two_factor_enabled = false
     WHERE id = $1 AND NOT email_verified AND NOT ${needsSecondFactorSql('accounts', 'false')}`,
    [id],
  );
  if (rowCount === 0) return;
  await tx.query('DELETE FROM two_factors WHERE account_id = $1', [id]);
  await tx.query('DELETE FROM passkeys WHERE account_id = $1', [id]);
}
