import { hash, verify } from '@node-rs/argon2';
import { refuse } from '../../kit/errors.ts';
import type { FieldJudge } from '../../kit/http/fields.ts';
import { invalid } from '../../kit/http/fields.ts';
import { identityErrors } from '../errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Of passwords that are chosen now; what was chosen before stays valid. */
export const passwordLength = { min: 12, max: 128 };

/** The argon2id hash of a password, with its salt and costs. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password);
}

export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return await verify(passwordHash, password);
}

/** Refuses a new password that is too short, too long or common. NIST SP 800-63B asks for no other rule. */
export const judgeNewPassword: FieldJudge = (value) => {
  if (typeof value !== 'string') return invalid('password', 'is required');
  if (countOf(value) < passwordLength.min) return refuse(identityErrors.password_too_short);
  if (value.length > passwordLength.max) return refuse(identityErrors.password_too_long);
  if (isCommonPassword(value)) return refuse(identityErrors.password_common);
  return null;
};

/** How many characters somebody typed, where spaces in a row are one. */
function countOf(password: string): number {
  return [...password.replace(/\s+/g, ' ')].length;
}
