import { refuse } from '../kit/errors.ts';
import { type FieldJudge, invalid } from '../kit/http/fields.ts';
import { walletErrors } from './errors.ts';

const namePattern = /^[A-Za-z0-9_.-]{3,32}$/;

/** A name as it is compared: A to Z without case, as `lower(… COLLATE "C")` does in the database. */
export function foldedName(username: string): string {
  return username.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** What names that look alike have in common; `0230_user_names.sql` computes the same. */
export function lookOf(username: string): string {
  return foldedName(username)
    .replaceAll('0', 'o')
    .replace(/[1l]/g, 'i')
    .replaceAll('rn', 'm')
    .replace(/[_.-]/g, '');
}

/** Checks the name that somebody signs up with. Names that exist stay as they are. */
export const checkNewName: FieldJudge = (value) => {
  if (value === undefined) return invalid('username', 'is required');
  if (typeof value !== 'string') return invalid('username', 'must be text');
  // A name of marks alone looks like any other such name.
  const isName = namePattern.test(value) && lookOf(value) !== '';
  return isName ? null : refuse(walletErrors.username_invalid);
};
