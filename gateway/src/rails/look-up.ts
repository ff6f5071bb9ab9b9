/**
 * What a rail knows of a transaction that a customer names: `failed` moved nothing, `other_coin` sent a coin or token that
 * is not taken to an address of the payment, `elsewhere` paid somebody else, `unmatched` came to an account of the rail and
 * named no payment. `unasked`: no answer that it is unknown, since a network could not be asked.
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
