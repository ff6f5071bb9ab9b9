import type { AssetCode } from '../money/money.ts';

/**
 * Where the money of a rail lies: at the addresses that are given out, in its treasury, or in the contract that pays
 * payouts. `operator` is what the operator has outside.
 */
export type Place = 'addresses' | 'treasury' | 'vault' | 'operator';

/**
 * Money that came into a treasury or a vault, or left it (`final`), or whose move a reorg removed (`gone`). What left
 * for an address outside went to `operator`, whoever had ordered it; a payout takes it from there.
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
