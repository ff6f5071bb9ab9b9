import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { OwnAddresses } from '../../direct.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { forwarderAddress } from './forwarders.ts';
import { type Split, splitterAddress } from './splitters.ts';

/** A split and whose payments use it. */
export type OwnSplit = Split & { integrationId: string; isTest: boolean };

/** The split of an asset's payments on a chain; null: they are the gateway's to receive. */
export function splitOn(
  { feeAddress: host, receiving, isTest = false }: ChainConfig,
  asset: AssetCode,
  own: OwnAddresses | null,
): OwnSplit | null {
  const merchant = own?.addresses[asset];
  // What an extended key receives cannot be passed on by anybody but its owner.
  if (!own || merchant === undefined || host === undefined || receiving.kind !== 'forwarder') return null;
  const { integrationId, basisPoints } = own;
  return { merchant: merchant.toLowerCase() as Hex, host, basisPoints, integrationId, isTest };
}

/** Whether payments of an asset settle directly on a chain. */
export const isSplitOn = (
  chain: ChainConfig | undefined,
  asset: AssetCode,
  own: OwnAddresses | null,
): boolean => chain !== undefined && splitOn(chain, asset, own) !== null;

/**
 * Where a side's part waits that could not be paid: the deposit address of that side whose payment is the splitter
 * (contracts/Splitter.sol).
 */
const waitingAddress = (side: Hex, splitter: Hex): Hex => forwarderAddress(side, splitter);

/** Has the scans watch the addresses of these splits, in the transaction that gives the first address out. */
export async function keepDirectPlaces(tx: Tx, splits: readonly OwnSplit[], now: Date): Promise<void> {
  if (splits.length === 0) return;
  const rows = splits.flatMap(({ merchant, host, basisPoints, integrationId, isTest }) => {
    const splitter = splitterAddress({ merchant, host, basisPoints });
    const shared = { splitter, merchant, host, basis_points: basisPoints };
    const whose = { integration_id: integrationId, is_test: isTest };
    return [
      { address: splitter, kind: 'splitter' },
      { address: waitingAddress(merchant, splitter), kind: 'merchant' },
      { address: waitingAddress(host, splitter), kind: 'host' },
    ].map((place) => ({ ...place, ...shared, ...whose }));
  });
  await tx.query(
    `INSERT INTO evm_direct_places
       (address, kind, splitter, integration_id, merchant, host, basis_points, is_test, created_at)
     SELECT DISTINCT ON (address) address, kind, splitter, integration_id, merchant, host, basis_points, is_test,
       $2::timestamptz
     FROM json_to_recordset($1) AS t(address text, kind text, splitter text, integration_id uuid, merchant text,
       host text, basis_points integer, is_test boolean)
     WHERE NOT EXISTS (SELECT FROM evm_direct_places known WHERE known.address = t.address)
     ORDER BY address, kind DESC
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows), now],
  );
}

/** The splits of these splitters' addresses; other addresses, such as treasuries, have none. */
export async function splitsAt(reader: Reader, addresses: readonly Hex[]): Promise<Map<Hex, Split>> {
  const { rows } = await reader.query<Split & { address: Hex }>(
    `SELECT address, merchant, host, basis_points AS "basisPoints" FROM evm_direct_places
     WHERE address = ANY ($1) AND kind = 'splitter'`,
    [addresses],
  );
  return new Map(rows.map(({ address, ...split }) => [address, split]));
}
