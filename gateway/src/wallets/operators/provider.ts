import type { Logger } from 'pino';
import type { Change } from '../../identity/audit/audit-log.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { ExchangeResult, HttpSender } from '../../kit/net/safe-fetch.ts';
import { endpointKey, standardSignature } from '../../kit/net/standard-webhooks.ts';
import { walletErrors } from '../errors.ts';
import { type Level, levels } from '../standing.ts';
import type { UserId } from '../users.ts';
import { setLevel } from './standing-changes.ts';

/** Another system that knows who people are, and says which level a user has. */
export type ProviderAt = { url: string; secret: string };

export type ProviderDeps = {
  db: Database;
  /** Null: nobody is asked. */
  provider: ProviderAt | null;
  sender: Pick<HttpSender, 'send'>;
  log: Logger;
  now: Clock;
};

export type LevelAnswer = { before: Level; level: Level };

/**
 * Asks the provider for a user's level, and sets what it answers; `record` writes the audit log in the same transaction.
 * No transaction is open during the call. Any answer but a definite one changes nothing, and so does one that comes after
 * somebody else has changed the level. Throws `no_provider`, `user_not_found`, `provider_unreachable`.
 */
export async function askForLevel(
  deps: ProviderDeps,
  id: UserId,
  record: (tx: Tx, change: Change) => Promise<void>,
): Promise<LevelAnswer> {
  const { db, provider, log, now } = deps;
  if (provider === null) throw refuse(walletErrors.no_provider);
  const { rows } = await db.query<{ username: string; level: Level }>(
    'SELECT username, level FROM users WHERE id = $1',
    [id],
  );
  const [user] = rows;
  if (!user) throw refuse(walletErrors.user_not_found);
  const answer = await deps.sender.send({
    url: new URL(provider.url),
    reach: 'any',
    ...signed(provider, { user_id: id, username: user.username, level: user.level }, now()),
  });
  const level = levelIn(answer);
  if (level === null) {
    const fault = 'error' in answer ? answer.error : `status ${answer.statusCode}`;
    log.warn({ user: id, fault }, 'the KYC provider gave no level: it stays as it is');
    throw refuse(walletErrors.provider_unreachable);
  }
  return await transaction(db, async (tx) => {
    const before = await setLevel(tx, id, level, now());
    // Somebody changed the level after the provider was asked: that change stays.
    if (before !== user.level) throw refuse(walletErrors.level_changed);
    await record(tx, {
      action: 'asked the KYC provider for the level of a user',
      subject: { kind: 'user', id },
      before: { level: before },
      after: { level },
    });
    return { before, level };
  });
}

/** A request as Standard Webhooks sign it. */
function signed({ secret }: ProviderAt, question: object, now: Date) {
  const body = Buffer.from(JSON.stringify(question));
  const [id, timestamp] = [`kyc_${newId(now)}`, Math.floor(now.getTime() / 1000)];
  const key = secret.startsWith('whsec_') ? endpointKey(secret) : Buffer.from(secret);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': standardSignature({ id, timestamp, body }, [key]),
  };
  return { headers, body };
}

/** The level that an answer names; null: it is none. */
function levelIn(answer: ExchangeResult): Level | null {
  if ('error' in answer || answer.statusCode !== 200) return null;
  try {
    const read: unknown = JSON.parse(answer.body.toString('utf8'));
    const named = typeof read === 'object' && read !== null && 'level' in read ? read.level : null;
    return levels.find((level) => level === named) ?? null;
  } catch {
    return null;
  }
}
