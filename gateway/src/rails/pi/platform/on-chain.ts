/** The transaction that is said to have paid. */
export type Claim = { txid: string; identifier: string; units: bigint };

/**
 * What the network shows of it: `paid`: it moved just these units to the custody account, with the identifier as
 * memo. `unknown`: not there, or not yet. `other`: it is there, and did not.
 */
export type OnChain = 'paid' | 'unknown' | 'other';

/** Throws EndpointFault where the network cannot be asked. */
export type FindOnChain = (claim: Claim, signal?: AbortSignal) => Promise<OnChain>;
