/**
 * What a rail knows of a transaction that a customer names. `waiting`: not in a block yet, or not recorded yet. `failed`:
 * it moved nothing. `other_coin`: it sent a coin or token that is not taken to an address of the payment. `elsewhere`: it
 * paid somebody else. `unmatched`: it came to an account of the rail and named no payment. `unasked`: not found, but a
 * network could not be asked. `unknown`: on no network.
 */
export type LookUp =
  | 'found'
  | 'waiting'
  | 'unmatched'
  | 'failed'
  | 'other_coin'
  | 'elsewhere'
  | 'unasked'
  | 'unknown';

/** Looks a transaction up on a rail's network and reports what it paid to the payment; null: not of this rail. */
export type LookUpTransaction = (paymentId: string, transaction: string) => Promise<LookUp | null>;
