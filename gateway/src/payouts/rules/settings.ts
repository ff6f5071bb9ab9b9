import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Asset } from '../../money/assets.ts';
import { unitsOfDecimal } from '../../money/money.ts';

/** What an owner decided about the payouts of one mode. */
export type PayoutSettings = {
  /** Test mode always has them. */
  enabled: boolean;
  /** How many people approve what is above the amount of its asset. */
  approvals: number;
  /** Decimals by asset code. An asset without one needs approval for any amount. */
  approveAbove: Readonly<Record<string, string>>;
  /** Only addresses of the address book, and new ones after a day. */
  knownAddressesOnly: boolean;
};

/** Live payouts are off until the owner turns them on; test mode is free to try. */
const defaults: Record<Owner['mode'], PayoutSettings> = {
  live: { enabled: false, approvals: 1, approveAbove: {}, knownAddressesOnly: true },
  test: { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false },
};

/** How many approvals an amount needs. */
export function approvalsFor(
  { approvals, approveAbove }: PayoutSettings,
  asset: Asset,
  units: bigint,
): number {
  const free = unitsOfDecimal(approveAbove[asset.code] ?? '0', asset.scale) ?? 0n;
  return units > free ? approvals : 0;
}

type SettingsRow = {
  enabled: boolean;
  approvals: number;
  approve_above: Record<string, string>;
  known_addresses_only: boolean;
};

/** The settings of an owner. */
export async function payoutSettingsOf(
  reader: Reader,
  { integrationId, mode }: Owner,
): Promise<PayoutSettings> {
  const { rows } = await reader.query<SettingsRow>(
    `SELECT enabled, approvals, approve_above, known_addresses_only FROM payout_settings
     WHERE integration_id = $1 AND mode = $2`,
    [integrationId, mode],
  );
  const row = rows[0];
  if (!row) return defaults[mode];
  return {
    enabled: row.enabled || mode === 'test',
    approvals: row.approvals,
    approveAbove: row.approve_above,
    knownAddressesOnly: row.known_addresses_only,
  };
}

/** Writes all settings of an owner; returns those before. The caller checks that enough people can approve. */
export async function changePayoutSettings(
  tx: Tx,
  owner: Owner,
  settings: PayoutSettings,
  now: Date,
): Promise<PayoutSettings> {
  await lockSettings(tx, owner);
  const before = await payoutSettingsOf(tx, owner);
  await tx.query(
    `INSERT INTO payout_settings (integration_id, mode, enabled, approvals, approve_above, known_addresses_only,
       updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (integration_id, mode) DO UPDATE SET enabled = $3, approvals = $4, approve_above = $5,
       known_addresses_only = $6, updated_at = $7`,
    [
      owner.integrationId,
      owner.mode,
      settings.enabled,
      settings.approvals,
      JSON.stringify(settings.approveAbove),
      settings.knownAddressesOnly,
      now,
    ],
  );
  return before;
}

/** One change of an integration's settings at a time. */
async function lockSettings(tx: Tx, { integrationId }: Owner): Promise<void> {
  await tx.query('SELECT FROM integrations WHERE id = $1 FOR NO KEY UPDATE', [integrationId]);
}
