/** The health of a rail. A field that a rail does not have is null: the simulated one has no blocks. */
export type RailHealth = {
  rail: string;
  chain: string | null;
  lastBlock: bigint | null;
  /** How far its reading is behind its network. */
  lagSeconds: number;
  /** The endpoint that was read last, by its name. */
  endpoint: string | null;
  status: 'up' | 'behind' | 'down';
  /** What keeps money from being taken or credited. */
  faults: RailFault[];
  scan: ScanHealth | null;
};

/**
 * What an operator must know or do; docs/operations.md has a row for each:
 * - `not_scanned`: no process has read the chain yet
 * - `no_endpoint`: no endpoint answers
 * - `wrong_chain`: an endpoint serves another chain
 * - `not_verified`: the contracts have not been checked yet
 * - `no_factory`, `wrong_factory`, `wrong_token`: a contract is missing or another one than configured
 * - `no_vault`, `wrong_vault`: the contract that pays out is missing or another one than configured
 * - `stalled`: blocks are not booked, because endpoints disagree or for another reason
 * - `payments_wait`: payments wait past their deadline until the rail has been read up to it
 * - `not_credited`: transfers are not credited, or in part, because of what their addresses hold
 * - `second_reading`: the second reading found transfers that endpoints had left out, or it does not run
 * - `doubtful_head`: the only endpoint shows blocks that the chain can hardly have yet
 * - `unconfirmed`: blocks are booked that only one endpoint has shown
 * - `sweeping`: deposits are not moved to the treasury, or soon will not be
 * - `no_account`: the account that receives does not exist on its network
 * - `not_sending`: orders are not sent, because of the signer, the fee or the balance
 * - `out_of_balance`: the account's balance differs from the sum of what was read
 * - `not_completed`: the Pi platform does not confirm payments that are paid on the chain
 */
export type RailFaultCode =
  | 'not_scanned'
  | 'no_endpoint'
  | 'wrong_chain'
  | 'not_verified'
  | 'no_factory'
  | 'wrong_factory'
  | 'wrong_token'
  | 'no_vault'
  | 'wrong_vault'
  | 'stalled'
  | 'payments_wait'
  | 'not_credited'
  | 'second_reading'
  | 'doubtful_head'
  | 'unconfirmed'
  | 'sweeping'
  | 'no_account'
  | 'not_sending'
  | 'out_of_balance'
  | 'not_completed';

export type RailFault = { code: RailFaultCode; message: string };

/** How far a chain was read, and from which endpoints. */
export type ScanHealth = {
  head: bigint | null;
  /** Transfers up to this block are booked. */
  final: bigint | null;
  blocksBehind: number;
  /** Set while the scan catches up. */
  blocksPerSecond: number | null;
  secondsLeft: number | null;
  /** The part of the blocks to catch up with that has been read, from 0 to 1. */
  caughtUp: number | null;
  endpoints: EndpointReport[];
};

/** The health of an endpoint, as operators see it and as the database keeps it. */
export type EndpointReport = {
  /** Its host and its place in the configuration; no part of the address that could be a key. */
  name: string;
  /** `resting`: not called for a while after a fault; `suspect`: it disagreed with another one, or refuses logs. */
  state: 'unused' | 'up' | 'behind' | 'suspect' | 'resting' | 'wrong_chain';
  /** Its latest fault, until its next success. */
  fault: string | null;
  latencyMs: number | null;
  /** How many blocks it is behind the furthest endpoint. */
  lagBlocks: number | null;
  /** For how many blocks it is asked for logs at once. */
  span: number;
  /** Seconds until it is called again, while it rests. */
  retrySeconds: number | null;
};

/** Returns the health of one rail, for operators. */
export type RailProbe = () => Promise<RailHealth>;
