import type { AssetCode } from '../money/money.ts';

/**
 * Where the money of a rail is: at the addresses that are given out, in its treasury, or in the vault that pays payouts.
 * `operator`: outside the gateway, with the operator.
 */
export type Place = 'addresses' | 'treasury' | 'vault' | 'operator';
/** The same, or an address of direct settlement, which is nobody's but the merchant's. */
export type WatchedPlace = Place | 'direct';

/**
 * Money that came into a treasury or a vault, or left it (`final`), or whose move a reorg removed (`gone`). Money that
 * left for an address outside goes to `operator`, whoever ordered it; a payout takes its amount from there.
 */
export type Move = {
  rail: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  transaction: string;
  asset: AssetCode;
  units: bigint;
  from: Place;
  to: Place;
  /** Null: the one account of its rail. */
  sender: string | null;
  receiver: string;
  /** When its chain took it. */
  at: Date;
  state: 'final' | 'gone';
};
