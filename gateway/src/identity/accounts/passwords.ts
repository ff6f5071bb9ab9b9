import { hash, verify } from '@node-rs/argon2';
import { type Refusal, refuse } from '../../kit/errors.ts';
import type { FieldJudge } from '../../kit/http/fields.ts';
import { invalid } from '../../kit/http/fields.ts';
import { identityErrors } from '../errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** A password of another length, or a common one, signs nobody in: its owner must choose another at the sign-in. */
export const passwordLength = { min: 12, max: 128 };

/** The argon2id hash of a password, with its salt and costs. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password);
}

export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return await verify(passwordHash, password);
}

/** Checks that a new password is not too short, too long or common. NIST SP 800-63B asks for no other rule. */
export const judgeNewPassword: FieldJudge = (value) => {
  if (value === undefined) return invalid('password', 'is required');
  return typeof value === 'string' ? faultOfPassword(value) : invalid('password', 'must be text');
};

/** Why a password may not be used any more; null: it may. */
export function faultOfPassword(value: string): Refusal | null {
  if (countOf(value) < passwordLength.min) return refuse(identityErrors.password_too_short);
  if (value.length > passwordLength.max) return refuse(identityErrors.password_too_long);
  if (isCommonPassword(value)) return refuse(identityErrors.password_common);
  return null;
}

/** The number of characters, where several spaces in a row count as one. */
function countOf(password: string): number {
  return [...password.replace(/\s+/g, ' ')].length;
}
