import { hash } from 'node:crypto';
import { awaitsOperator } from '../../identity/setup/setup-link.ts';
import { after } from '../../kit/clock.ts';
import { isUniqueViolation, type Reader, type Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { randomCrockford } from '../../kit/ids.ts';
import { walletErrors } from '../errors.ts';
import { createUser, type UserId } from '../users.ts';

/** Who may sign up: everybody, whoever has an invitation, or nobody. */
const signUpModes = ['open', 'invitation', 'off'] as const;
export type SignUpMode = (typeof signUpModes)[number];

export type NewUser = {
  username: string;
  password: string | null;
  /** The code of an invitation; it counts only where one is needed. */
  invitation: string | undefined;
  locale: string;
};

/** Makes a user who signs up. Throws `username_taken`, `invitation_needed`, `invitation_used`. */
export async function signUp(
  tx: Tx,
  mode: SignUpMode,
  { username, password, invitation, locale }: NewUser,
  now: Date,
): Promise<UserId> {
  if (mode === 'off' || (await awaitsOperator(tx))) throw refuse(walletErrors.sign_up_closed);
  const id = await createUser(tx, { username, password }, now).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse(walletErrors.username_taken) : error;
  });
  await tx.query('UPDATE users SET locale = $2 WHERE id = $1', [id, locale]);
  if (mode === 'invitation') await useInvitation(tx, invitation, id, now);
  return id;
}

const codeLength = 16;
const invitationSeconds = 7 * 24 * 3600;

// 80 random bits need no slow hash.
const codeHash = (code: string): string =>
  hash('sha256', code.replace(/[\s-]/g, '').toUpperCase(), 'base64url');

/** Makes an invitation for one sign-up within a week, and returns its code, which is readable only now. */
export async function makeInvitation(reader: Reader, now: Date): Promise<{ code: string; until: Date }> {
  const until = after(now, invitationSeconds);
  const code = randomCrockford(codeLength).match(/.{4}/g)?.join('-') ?? '';
  await reader.query(
    'INSERT INTO wallet_invitations (code_hash, created_at, expires_at) VALUES ($1, $2, $3)',
    [codeHash(code), now, until],
  );
  return { code, until };
}

async function useInvitation(tx: Tx, code: string | undefined, userId: UserId, now: Date): Promise<void> {
  if (code === undefined) throw refuse(walletErrors.invitation_needed);
  const { rowCount } = await tx.query(
    `UPDATE wallet_invitations SET used_by = $2 WHERE code_hash = $1 AND used_by IS NULL AND expires_at > $3`,
    [codeHash(code), userId, now],
  );
  if (rowCount === 0) throw refuse(walletErrors.invitation_used);
}
