import { ConfigError } from '../config/config.ts';
import type { Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import type { Asset } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';

/** What an installation still has of an asset in one mode, in units of the asset. */
type Left = { asset: string; mode: Mode; balances: bigint; held: bigint; payouts: bigint };

/**
 * Throws ConfigError where the configuration no longer has an asset with balances or open payouts, and says how much. Live
 * money that came in on a network needs that network: `live` has the assets of the configured networks.
 */
export async function assertAssetsKept(
  reader: Reader,
  assets: readonly Asset[],
  live: ReadonlySet<string>,
): Promise<void> {
  const known = new Map(assets.map((asset) => [asset.code, asset]));
  const received = await receivedBefore(reader);
  const faults = (await leftOf(reader)).flatMap((left) => {
    const { asset, mode } = left;
    const isGone = mode === 'live' && received.has(asset) && !live.has(asset);
    if (known.has(asset) && !isGone) return [];
    const amount = (units: bigint): string => {
      const scale = known.get(asset)?.scale;
      return scale === undefined ? `${units} of its smallest units` : decimalOf(units, scale);
    };
    const parts = [
      left.balances > 0n ? `${amount(left.balances)} in balances` : '',
      left.held > 0n ? `${amount(left.held)} of it held` : '',
      left.payouts > 0n ? `${left.payouts} open payouts` : '',
    ].filter((part) => part !== '');
    const where = known.has(asset) ? 'the network of ' : '';
    return `CONFIG_FILE has no longer ${where}${asset}, and there is ${mode} money of it: ${parts.join(', ')}. Put it back until that is paid out.`;
  });
  if (faults.length > 0) throw new ConfigError(faults);
}

/** The assets that ever came in on a chain or from Pi. */
async function receivedBefore(reader: Reader): Promise<Set<string>> {
  const { rows } = await reader.query<{ asset: string }>(
    `SELECT DISTINCT asset FROM ledger_accounts
     WHERE kind = 'external' AND mode = 'live' AND (owner LIKE 'evm:%' OR owner = 'pi')`,
  );
  return new Set(rows.map(({ asset }) => asset));
}

async function leftOf(reader: Reader): Promise<Left[]> {
  const { rows } = await reader.query<Left>(
    `SELECT asset, mode, sum(balances) AS balances, sum(held) AS held, sum(payouts) AS payouts FROM (
       SELECT asset, mode, abs(balance) AS balances, held, 0::numeric AS payouts FROM ledger_accounts
       WHERE stored AND (balance <> 0 OR held <> 0)
       UNION ALL
       SELECT asset, mode, 0, 0, 1 FROM payouts WHERE status IN ('awaiting_approval', 'queued', 'sending')
     ) AS each GROUP BY asset, mode ORDER BY asset, mode`,
  );
  return rows;
}
