import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { FundingSettings, Integration } from '../integration.ts';
import type { Owner } from '../owner.ts';

const byDefault: FundingSettings = { enabled: true, limits: {}, allowanceId: null };

/** What holds for funding users in a mode: allowed without a limit, unless the owner decided otherwise (contract.md#funding). */
export function fundingSettingsOf(
  { fundings }: Pick<Integration, 'fundings'>,
  mode: Owner['mode'],
): FundingSettings {
  return fundings[mode] ?? byDefault;
}

/**
 * Writes the settings of one mode; returns those before. What was funded on this day counts in a new limit only where
 * there was one before.
 */
export async function changeFundingSettings(
  tx: Tx,
  { integrationId, mode }: Owner,
  { enabled, limits }: Pick<FundingSettings, 'enabled' | 'limits'>,
  now: Date,
): Promise<FundingSettings> {
  const { rows } = await tx.query<Pick<Integration, 'fundings'>>(
    'SELECT fundings FROM integrations WHERE id = $1 FOR NO KEY UPDATE',
    [integrationId],
  );
  const before = fundingSettingsOf(rows[0] ?? { fundings: {} }, mode);
  const isLimited = Object.keys(limits).length > 0;
  const allowanceId = before.allowanceId ?? (isLimited ? newId(now) : null);
  await tx.query(
    'UPDATE integrations SET fundings = fundings || jsonb_build_object($2::text, $3::jsonb) WHERE id = $1',
    [integrationId, mode, JSON.stringify({ enabled, limits, allowanceId })],
  );
  return before;
}
