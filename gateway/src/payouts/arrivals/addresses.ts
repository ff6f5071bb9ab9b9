import type { Mode } from '../../identity/integration.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import type { AssetCode } from '../../money/money.ts';
import type { Destination, Rail } from '../../rails/rail.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { ArrivalKind } from './arrival-kind.ts';

/** Where an owner brings an asset in, again and again: an address of their own, or an address with a memo of their own. */
export type ReusableAddress = {
  asset: AssetCode;
  network: string;
  address: string;
  memo: string | null;
  /** False while the rail has been unable to read the network for minutes: what comes there counts later. */
  is_readable: boolean;
};

export type AddressDeps = { assets: Assets; rail: Pick<Rail, 'openFor' | 'reusable'>; now: Clock };

/** Whose address, in which mode. */
export type AddressOwner = { kind: ArrivalKind; id: string; mode: Mode };

const railOwner = ({ kind, id }: AddressOwner) => ({ kind: kind.owner, id });

/**
 * An owner's address for an asset; it is made on the first call and watched for ever. Throws `asset_unsupported` where no
 * rail takes the asset, and what `unread` of the kind says while its network is not read: money that came before would not
 * be seen.
 */
export async function makeReusableAddress(
  tx: Tx,
  { rail, now }: Pick<AddressDeps, 'rail' | 'now'>,
  owner: AddressOwner,
  asset: Asset,
): Promise<ReusableAddress> {
  const { kind, id, mode } = owner;
  // Two calls at once wait for each other here, so that both return one address.
  await tx.query(
    `INSERT INTO ${kind.tables.addresses} AS t (${kind.ownerColumn}, mode, asset, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (${kind.ownerColumn}, mode, asset) DO UPDATE SET created_at = t.created_at`,
    [id, mode, asset.code, now()],
  );
  if (isSimulated(owner, asset)) return simulated(owner, asset);
  const onRails = railOwner(owner);
  if (!(await rail.openFor(tx, onRails, asset.code))) throw refuse(payoutErrors.asset_unsupported);
  const found = (await rail.reusable(tx, onRails)).find((each) => each.asset === asset.code);
  if (!found) throw kind.unread(asset);
  return viewOf(found);
}

/** The addresses that an owner asked for, by asset, as far as their networks are read now. */
export async function reusableAddresses(
  reader: Reader,
  { assets, rail }: Pick<AddressDeps, 'assets' | 'rail'>,
  owner: AddressOwner,
): Promise<ReusableAddress[]> {
  const { kind, id, mode } = owner;
  const { rows } = await reader.query<{ asset: AssetCode }>(
    `SELECT asset FROM ${kind.tables.addresses} WHERE ${kind.ownerColumn} = $1 AND mode = $2 ORDER BY asset`,
    [id, mode],
  );
  if (rows.length === 0) return [];
  const known = rows.flatMap(({ asset }) => assets.find(asset) ?? []);
  const isReal = known.some((asset) => !isSimulated(owner, asset));
  const places = isReal ? await rail.reusable(reader, railOwner(owner)) : [];
  return known.flatMap((asset) =>
    isSimulated(owner, asset)
      ? [simulated(owner, asset)]
      : places.filter((each) => each.asset === asset.code).map(viewOf),
  );
}

/** In test mode only the assets of test networks have real addresses. */
const isSimulated = ({ mode }: AddressOwner, { isTest }: Asset): boolean => mode === 'test' && !isTest;

/** Nothing comes to a simulated address: `POST /test/top-ups` and fund-user give test money. */
function simulated({ id }: AddressOwner, { code, network }: Asset): ReusableAddress {
  return { asset: code, network, address: `test_${id}`, memo: null, is_readable: true };
}

function viewOf({ asset, network, address, memo, isUnreadable }: Destination): ReusableAddress {
  return { asset, network, address, memo, is_readable: isUnreadable !== true };
}
