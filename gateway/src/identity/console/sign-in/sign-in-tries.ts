import type { FastifyRequest } from 'fastify';
import { after } from '../../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../../kit/db/db.ts';
import { randomBase62 } from '../../../kit/ids.ts';
import type { Auth } from '../../accounts/auth.ts';
import { deviceSeconds, knownPlace, rememberPlace } from '../../accounts/known-places.ts';
import type { Attempt, NamedPurpose } from '../../keys/sign-in-limits.ts';
import { guessesLetter } from '../../mail/letters.ts';
import { queueMail } from '../../mail/mail.ts';
import type { RequestAndReply } from './auth-call.ts';
import type { AuthRoutesDeps } from './auth-open.ts';

type TriesDeps = Pick<AuthRoutesDeps, 'db' | 'guards' | 'auth' | 'now'>;

/** The name that is counted, and the account that has it; null: none has. */
type Tried = { name: string; accountId: string | null };

/** Counts a try to sign in to an account. Throws `rate_limited`. */
export async function countTry(
  { db, guards, auth, now }: TriesDeps,
  request: FastifyRequest,
  purpose: NamedPurpose,
  { name, accountId }: Tried,
): Promise<Attempt> {
  const { device } = auth.cookiesOf(request);
  return await guards.signIn(request, purpose, {
    account: name,
    knownPlace: await knownPlace(db, accountId, { device, ip: request.ip }),
    // Also when there is no account, so that the time is the same.
    onHeld: () => mailGuesses(db, auth, accountId, now()),
  });
}

/**
 * Notes that the account's owner signed in from this device and address. Returns whether the device is new to the account,
 * and whether it is the account's first.
 */
export async function rememberHere(
  tx: Tx,
  { auth, now }: Pick<TriesDeps, 'auth' | 'now'>,
  { request, reply }: RequestAndReply,
  accountId: string,
): Promise<{ isNew: boolean; isFirst: boolean }> {
  const device = auth.cookiesOf(request).device ?? randomBase62(32);
  void reply.header('set-cookie', auth.cookies.set('device', device, deviceSeconds));
  return await rememberPlace(tx, accountId, { device, ip: request.ip }, now());
}

const daySeconds = 24 * 3600;

/** Mails the owner of an account that too many tries failed; once a day. */
async function mailGuesses(
  db: Database,
  { baseUrl }: Auth,
  accountId: string | null,
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await tx.query<{ email: string }>(
      `UPDATE accounts SET guesses_mailed_at = $2
       WHERE id = $1 AND (guesses_mailed_at IS NULL OR guesses_mailed_at <= $3) RETURNING email`,
      [accountId, now, after(now, -daySeconds)],
    );
    const letter = guessesLetter(`${baseUrl}/app/reset-password`);
    await queueMail(tx, { to: rows.map(({ email }) => email), ...letter });
  });
}
