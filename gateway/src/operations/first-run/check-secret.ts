import { hash, randomInt } from 'node:crypto';
import { randomBase62 } from '../../kit/ids.ts';

/** The secret of a check that a program brings back. */
export const checkSecret = (): string => randomBase62(32);

/** A code that a person types: six digits. */
export const checkCode = (): string => `${randomInt(1_000_000)}`.padStart(6, '0');

/** What the database keeps of it. A code is kept with the check that it belongs to, has few tries and ends soon. */
export const checkHash = (secret: string, check = ''): string =>
  hash('sha256', `${check} ${secret}`, 'base64url');
