import type { Mode } from '../identity/integration.ts';
import { dayOf } from '../kit/clock.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import type { Asset } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { walletErrors } from './errors.ts';
import type { Level, Standing } from './standing.ts';

/** What the limits of a level count; `pay_unproved` is what is paid without a second factor. */
export const limitedActions = ['send', 'withdraw', 'pay', 'pay_unproved'] as const;
export type LimitedAction = (typeof limitedActions)[number];

/** What one user does with an asset; units are the asset's own. */
export type WalletUse = { user: Standing; mode: Mode; action: LimitedAction; asset: Asset; units: bigint };

/**
 * Counts a use in the limit of the user's level on this UTC day. To be called after the accounts were locked. The sum
 * stays locked until the transaction ends, so that of two uses at once only one passes. Throws `wallet_limit`.
 */
export async function takeUse(tx: Tx, use: WalletUse, now: Date): Promise<void> {
  const { user, mode, action, asset, units } = use;
  const { rows } = await tx.query<{ used: bigint }>(
    `INSERT INTO wallet_sums AS s (user_id, mode, action, asset, day, units) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (user_id, mode, action, asset, day) DO UPDATE SET units = s.units + excluded.units
     RETURNING units AS used`,
    [user.id, mode, action, asset.code, dayOf(now), units],
  );
  const used = rows[0]?.used ?? units;
  const limit = await limitOf(tx, user.level, action, asset.code);
  if (limit === null || used <= limit) return;
  const before = used - units;
  throw refuse(walletErrors.wallet_limit, {
    action: wordsOf[action],
    limit: decimalOf(limit, asset.scale),
    asset: asset.currency,
    left: decimalOf(limit > before ? limit - before : 0n, asset.scale),
  });
}

const wordsOf: Readonly<Record<LimitedAction, string>> = {
  send: 'send',
  withdraw: 'withdraw',
  pay: 'pay',
  pay_unproved: 'pay without a second factor',
};

/** A use that was counted at `at` and has ended unpaid. */
export type EndedUse = {
  userId: string;
  mode: Mode;
  action: LimitedAction;
  asset: string;
  units: bigint;
  at: Date;
};

/** Releases what uses that have ended unpaid took of limits; the sums are locked in one order. */
export async function releaseUses(tx: Tx, uses: readonly EndedUse[]): Promise<void> {
  const nameOf = ({ userId, mode, action, asset, at }: EndedUse) =>
    [userId, mode, action, asset, dayOf(at)].join(' ');
  for (const use of uses.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))) {
    const { userId, mode, action, asset, units, at } = use;
    await tx.query(
      `UPDATE wallet_sums SET units = units - $6
       WHERE user_id = $1 AND mode = $2 AND action = $3 AND asset = $4 AND day = $5`,
      [userId, mode, action, asset, dayOf(at), units],
    );
  }
}

async function limitOf(
  reader: Reader,
  level: Level,
  action: LimitedAction,
  asset: string,
): Promise<bigint | null> {
  const { rows } = await reader.query<{ units: bigint }>(
    'SELECT units FROM wallet_limits WHERE level = $1 AND action = $2 AND asset = $3',
    [level, action, asset],
  );
  return rows[0]?.units ?? null;
}

export type WalletLimit = { level: Level; action: LimitedAction; asset: string; units: bigint };

/** All limits that operators set. */
export async function walletLimits(reader: Reader): Promise<WalletLimit[]> {
  const { rows } = await reader.query<WalletLimit>(
    'SELECT level, action, asset, units FROM wallet_limits ORDER BY level, action, asset',
  );
  return rows;
}

/** Sets a limit; without units there is none. Returns what it was. */
export async function setWalletLimit(
  tx: Tx,
  { level, action, asset, units }: Omit<WalletLimit, 'units'> & { units: bigint | null },
  now: Date,
): Promise<bigint | null> {
  const before = await limitOf(tx, level, action, asset);
  if (units === null) {
    await tx.query('DELETE FROM wallet_limits WHERE level = $1 AND action = $2 AND asset = $3', [
      level,
      action,
      asset,
    ]);
  } else {
    await tx.query(
      `INSERT INTO wallet_limits (level, action, asset, units, updated_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (level, action, asset) DO UPDATE SET units = $4, updated_at = $5`,
      [level, action, asset, units, now],
    );
  }
  return before;
}
