import type { Mode } from '../../identity/integration.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import type { AssetCode } from '../../money/money.ts';
import type { ReusableOwner } from '../../rails/owner.ts';
import type { Destination, Rail } from '../../rails/rail.ts';
import { payoutErrors } from '../payout/errors.ts';

/** Where the balance of an asset can be topped up, again and again (contract.md#payouts). */
export type TopUpAddress = { asset: AssetCode; network: string; address: string; memo: string | null };

/** One that was asked for. `is_readable`: false while the rail has been unable to read its network for minutes. */
export type ListedTopUpAddress = TopUpAddress & { is_readable: boolean };

export type TopUpDeps = { assets: Assets; rail: Pick<Rail, 'openReusable' | 'reusable'>; now: Clock };

/** Whose balance, in which mode. */
export type ToppedUp = { id: string; mode: Mode };

const ownerOf = ({ id }: ToppedUp): ReusableOwner => ({ kind: 'top-up', id });

/**
 * The address for topping up an asset; it is made on the first call. Throws `asset_unsupported` where no rail takes the
 * asset, and `payouts_unavailable` while its network is not read: money that came before would not be seen.
 */
export async function makeTopUpAddress(
  tx: Tx,
  { rail, now }: TopUpDeps,
  business: ToppedUp,
  asset: Asset,
): Promise<TopUpAddress> {
  // Two calls at once wait for each other here, so that both return one address.
  await tx.query(
    `INSERT INTO top_up_addresses AS t (integration_id, mode, asset, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (integration_id, mode, asset) DO UPDATE SET created_at = t.created_at`,
    [business.id, business.mode, asset.code, now()],
  );
  if (business.mode === 'test') return simulated(business, asset);
  const owner = ownerOf(business);
  if (!(await rail.openReusable(tx, owner, asset.code))) throw refuse(payoutErrors.asset_unsupported);
  const found = (await rail.reusable(tx, owner)).find((each) => each.asset === asset.code);
  if (!found) {
    throw refuse(payoutErrors.payouts_unavailable, {
      asset: asset.code,
      why: 'its network has not been read yet',
    });
  }
  return viewOf(found);
}

/** The addresses that a business asked for, by asset, as far as their networks are read now. */
export async function topUpAddresses(
  reader: Reader,
  { assets, rail }: Pick<TopUpDeps, 'assets' | 'rail'>,
  business: ToppedUp,
): Promise<ListedTopUpAddress[]> {
  const { rows } = await reader.query<{ asset: AssetCode }>(
    'SELECT asset FROM top_up_addresses WHERE integration_id = $1 AND mode = $2 ORDER BY asset',
    [business.id, business.mode],
  );
  if (rows.length === 0) return [];
  if (business.mode === 'test') {
    const known = rows.flatMap(({ asset }) => assets.find(asset) ?? []);
    return known.map((asset) => ({ ...simulated(business, asset), is_readable: true }));
  }
  const places = await rail.reusable(reader, ownerOf(business));
  const listed = rows.flatMap(({ asset }) => places.filter((each) => each.asset === asset));
  return listed.map((place) => ({ ...viewOf(place), is_readable: place.isUnreadable !== true }));
}

/** Nothing comes to an address of test mode: `POST /test/top-ups` gives test money. */
function simulated({ id }: ToppedUp, { code, network }: Asset): TopUpAddress {
  return { asset: code, network, address: `test_${id}`, memo: null };
}

function viewOf({ asset, network, address, memo }: Destination): TopUpAddress {
  return { asset, network, address, memo };
}
