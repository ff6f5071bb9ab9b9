import { hash } from '@node-rs/argon2';
import { pino } from 'pino';
import { type AccountId, addAccount, type NewAccount } from '../../src/identity/accounts/accounts.ts';
import {
  createIntegration,
  type FeeTerms,
  type IntegrationId,
  type Mode,
  type ShortTolerance,
} from '../../src/identity/integration.ts';
import { createSigningKey } from '../../src/identity/keys/keys.ts';
import { after, type Clock } from '../../src/kit/clock.ts';
import { type Database, type Tx, transaction } from '../../src/kit/db/db.ts';
import type { Hints } from '../../src/kit/db/hints.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Seal } from '../../src/kit/seal.ts';
import type { StoredKind } from '../../src/ledger/accounts.ts';
import { postAll } from '../../src/ledger/ledger.ts';
import { bookTopUp } from '../../src/payouts/arrivals/top-ups.ts';
import { bookDeposit } from '../../src/wallets/deposits/deposits.ts';
import { createUser, findUserIds, isPasswordOf, type UserId } from '../../src/wallets/users.ts';
import { testSeal } from './database.ts';

export const silentLog = pino({ level: 'silent' });

/** Hints that reach nobody: whoever listens also polls. */
export const noHints: Hints = { send: () => {}, on: () => () => {}, close: async () => {} };

/** For rails of which no payouts are ordered: every order is another's. */
export const noPayouts = {
  take: async (_: unknown, reports: readonly { id: string }[]) => reports.map(({ id }) => id),
  isStopped: async () => false,
};

/** How the gateway books what comes to an address that somebody has for good. */
export const bookArrival = { user: bookDeposit, 'top-up': bookTopUp };

export { testSeal };

export type TestClock = { now: Clock; advance(seconds: number): void };

/** A clock that stands still at `start` until it is advanced. */
export function testClock(start: Date = new Date('2026-03-01T12:00:00Z')): TestClock {
  let time = start;
  return {
    now: () => time,
    advance(seconds) {
      time = after(time, seconds);
    },
  };
}

export type SeededIntegration = {
  integrationId: IntegrationId;
  /** Of test mode. */
  secretKey: string;
  liveSecretKey: string;
};

export type IntegrationSeed = {
  name?: string;
  approved?: boolean;
  fee?: FeeTerms;
  feePayer?: 'merchant' | 'customer';
  allowPrivateWebhooks?: boolean;
  liveDeadlineSeconds?: number;
  shortTolerance?: ShortTolerance;
};

/** An integration with a signing key for each mode; not approved for live mode unless the seed says so. */
export async function seedIntegration(
  db: Database,
  seal: Seal = testSeal,
  seed: IntegrationSeed = {},
  now: Date = new Date(),
): Promise<SeededIntegration> {
  const { name = 'Corner shop', approved = false, allowPrivateWebhooks = false } = seed;
  const { fee = { bps: 100 }, feePayer = 'merchant' } = seed;
  return await transaction(db, async (tx) => {
    const integrationId = await createIntegration(tx, { name, allowPrivateWebhooks }, now);
    await tx.query(
      `UPDATE integrations SET approval = $2, fee = $3, fee_payer = $4,
         live_deadline_seconds = coalesce($5, live_deadline_seconds),
         short_tolerance = coalesce($6, short_tolerance)
       WHERE id = $1`,
      [
        ...[integrationId, approved ? 'approved' : 'none', fee, feePayer],
        ...[seed.liveDeadlineSeconds, seed.shortTolerance],
      ],
    );
    const secretKey = await createSigningKey(tx, seal, { integrationId, mode: 'test' }, now);
    const liveSecretKey = await createSigningKey(tx, seal, { integrationId, mode: 'live' }, now);
    return { integrationId, secretKey, liveSecretKey };
  });
}

const quickHashes = new Map<string, Promise<string>>();

/**
 * A hash of a password that tests sign in with. It names its own costs, the lowest ones, so that a sign-in does not take
 * 19 MB and 30 ms.
 */
export function quickHash(password: string): Promise<string> {
  const made = quickHashes.get(password) ?? hash(password, { memoryCost: 8, timeCost: 1 });
  quickHashes.set(password, made);
  return made;
}

/** Makes an account that signs in as quickly. */
export async function addQuickAccount(
  tx: Tx,
  { password, ...input }: NewAccount,
  now: Date,
): Promise<AccountId> {
  return await addAccount(tx, { ...input, passwordHash: await quickHash(password) }, now);
}

/** A user with an empty wallet. */
export async function seedUser(
  db: Database,
  username: string,
  password = 'correct horse battery staple',
): Promise<UserId> {
  return await transaction(db, async (tx) => {
    const id = await createUser(tx, { username, password: null }, new Date());
    await tx.query('UPDATE users SET password_hash = $2 WHERE id = $1', [id, await quickHash(password)]);
    return id;
  });
}

export type BalanceSeed = {
  owner: string;
  kind: StoredKind | 'fees';
  mode: Mode;
  asset: string;
  units: bigint;
};

/** Gives an owner a balance through the ledger, from `external:seed`. Units are at the asset's own scale. */
export async function seedBalance(db: Database, seed: BalanceSeed, now: Date = new Date()): Promise<void> {
  const { owner, kind, mode, asset, units } = seed;
  const transfer = {
    id: newId(now),
    mode,
    asset,
    units,
    debit: { kind: 'external', owner: 'seed' },
    credit: { kind, owner },
    cause: 'seed',
    causeId: null,
  } as const;
  await transaction(db, (tx) => postAll(tx, [transfer], now));
}

/** The user whose password this is, or null. */
export async function signIn(reader: Database, username: string, password: string): Promise<UserId | null> {
  const id = (await findUserIds(reader, [username])).get(username) ?? null;
  return (await isPasswordOf(reader, id, password)) ? id : null;
}
