import { hash, verify } from '@node-rs/argon2';
import { refuse } from '../../kit/errors.ts';
import type { FieldJudge } from '../../kit/http/fields.ts';
import { invalid } from '../../kit/http/fields.ts';
import { identityErrors } from '../errors.ts';

export const passwordLength = { min: 10, max: 128 };

/** The argon2id hash of a password, with its salt and costs. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password);
}

export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return await verify(passwordHash, password);
}

/** Checks the length of a new password. NIST SP 800-63B asks for no other rule. */
export const judgeNewPassword: FieldJudge = (value) => {
  if (typeof value !== 'string') return invalid('password', 'is required');
  if (value.length < passwordLength.min) return refuse(identityErrors.password_too_short);
  if (value.length > passwordLength.max) return refuse(identityErrors.password_too_long);
  return null;
};
