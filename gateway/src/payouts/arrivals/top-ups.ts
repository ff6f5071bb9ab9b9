import type { Mode } from '../../identity/integration.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import type { BookedAt } from '../../ledger/ledger.ts';
import type { Asset } from '../../money/assets.ts';
import type { Arrival } from '../../rails/owner.ts';
import { payoutErrors } from '../payout/errors.ts';
import {
  type AddressDeps,
  makeReusableAddress,
  type ReusableAddress,
  reusableAddresses,
} from './addresses.ts';
import type { ArrivalKind } from './arrival-kind.ts';
import { bookArrival } from './book.ts';

/** Top-ups of business balances (contract.md#payouts). */
const topUps: ArrivalKind = {
  owner: 'top-up',
  account: 'business',
  cause: 'top_up',
  tables: { arrivals: 'top_ups', addresses: 'top_up_addresses' },
  ownerColumn: 'integration_id',
  unread: ({ code }) =>
    refuse(payoutErrors.payouts_unavailable, { asset: code, why: 'its network has not been read yet' }),
};

export type TopUpDeps = AddressDeps;

/** The integration whose balance is topped up, in which mode. */
export type ToppedUp = { id: string; mode: Mode };

/** Books what came to a top-up address, once (`bookArrival`). */
export async function bookTopUp(tx: Tx, arrival: Arrival, at: BookedAt): Promise<void> {
  await bookArrival(tx, topUps, arrival, at);
}

/** The address for topping up an asset. Throws `asset_unsupported`, and `payouts_unavailable` while its network is not read. */
export async function makeTopUpAddress(
  tx: Tx,
  deps: TopUpDeps,
  toppedUp: ToppedUp,
  asset: Asset,
): Promise<Omit<ReusableAddress, 'is_readable'>> {
  const { is_readable: _, ...address } = await makeReusableAddress(
    tx,
    deps,
    { kind: topUps, ...toppedUp },
    asset,
  );
  return address;
}

/** The top-up addresses that a business asked for (`reusableAddresses`). */
export const topUpAddresses = (
  reader: Reader,
  deps: Pick<TopUpDeps, 'assets' | 'rail'>,
  toppedUp: ToppedUp,
): Promise<ReusableAddress[]> => reusableAddresses(reader, deps, { kind: topUps, ...toppedUp });
