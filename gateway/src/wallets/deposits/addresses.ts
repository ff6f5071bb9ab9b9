import type { Mode } from '../../identity/integration.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import type { AssetCode } from '../../money/money.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { ReusableOwner } from '../../rails/owner.ts';
import type { Destination, Rail } from '../../rails/rail.ts';
import { walletErrors } from '../errors.ts';
import type { UserId } from '../users.ts';

/** Where a user brings an asset in, again and again: an address of their own, or an address with a memo of their own. */
export type DepositAddress = {
  asset: AssetCode;
  network: string;
  address: string;
  memo: string | null;
  /** False while the rail has been unable to read the network for minutes: what comes there counts later. */
  is_readable: boolean;
};

export type DepositDeps = { assets: Assets; rail: Pick<Rail, 'openReusable' | 'reusable'>; now: Clock };

/** Whose wallet, in which mode. */
export type WalletOf = { id: UserId; mode: Mode };

const ownerOf = ({ id }: WalletOf): ReusableOwner => ({ kind: 'user', id });

/**
 * A user's own address for an asset; it is made on the first call and watched for ever. Throws `asset_unsupported` where
 * no rail takes the asset, and `network_unread` while its network is not read: money that came before would not be seen.
 */
export async function makeDepositAddress(
  tx: Tx,
  { rail, now }: DepositDeps,
  wallet: WalletOf,
  asset: Asset,
): Promise<DepositAddress> {
  // Two calls at once wait for each other here, so that both return one address.
  await tx.query(
    `INSERT INTO wallet_addresses AS t (user_id, mode, asset, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id, mode, asset) DO UPDATE SET created_at = t.created_at`,
    [wallet.id, wallet.mode, asset.code, now()],
  );
  if (wallet.mode === 'test') return simulated(wallet, asset);
  const owner = ownerOf(wallet);
  if (!(await rail.openReusable(tx, owner, asset.code))) throw refuse(payoutErrors.asset_unsupported);
  const found = (await rail.reusable(tx, owner)).find((each) => each.asset === asset.code);
  if (!found) throw refuse(walletErrors.network_unread, { network: asset.network });
  return viewOf(found);
}

/** The addresses that a user asked for, by asset, as far as their networks are read now. */
export async function depositAddresses(
  reader: Reader,
  { assets, rail }: Pick<DepositDeps, 'assets' | 'rail'>,
  wallet: WalletOf,
): Promise<DepositAddress[]> {
  const { rows } = await reader.query<{ asset: AssetCode }>(
    'SELECT asset FROM wallet_addresses WHERE user_id = $1 AND mode = $2 ORDER BY asset',
    [wallet.id, wallet.mode],
  );
  if (rows.length === 0) return [];
  if (wallet.mode === 'test') {
    return rows.flatMap(({ asset }) => assets.find(asset) ?? []).map((asset) => simulated(wallet, asset));
  }
  const places = await rail.reusable(reader, ownerOf(wallet));
  return rows.flatMap(({ asset }) => places.filter((each) => each.asset === asset).map(viewOf));
}

/** Nothing comes to an address of test mode: merchants fund users with test money. */
function simulated({ id }: WalletOf, { code, network }: Asset): DepositAddress {
  return { asset: code, network, address: `test_${id}`, memo: null, is_readable: true };
}

function viewOf({ asset, network, address, memo, isUnreadable }: Destination): DepositAddress {
  return { asset, network, address, memo, is_readable: isUnreadable !== true };
}
