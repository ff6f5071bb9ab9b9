import type { Reader, Tx } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';

/** What a rail tells of one transfer, each time that it changed. */
export type Observation = {
  rail: string;
  /** Names this transfer on its chain for ever; two transfers in one transaction have two keys. */
  key: string;
  paymentId: string;
  transaction: string;
  asset: AssetCode;
  /** Units at the asset's own scale. */
  units: bigint;
  /** `seen`: on the chain, not yet final. `gone`: fell out of it again, even after it was final. */
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  needed: number;
  /** When its chain took it, by the chain's own time; absent: the rail has no time but the gateway's. */
  takenAt?: Date;
  /** The address that it came from, where the rail knows it. */
  sender?: string;
};

/** Money that came to where a rail receives, and names no payment. Final when it is told. */
export type UnmatchedDeposit = {
  rail: string;
  /** As `Observation.key`: the same when it turns out to be a payment's. */
  key: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  transaction: string;
  asset: AssetCode;
  units: bigint;
  sender: string | null;
  /** What it came with instead of a payment's memo, for people to read. */
  memo: string | null;
  /** When it arrived on its chain. */
  at: Date;
};

/** Money that left where a rail receives, with what its network took for that. Final when it is told. */
export type Outflow = {
  rail: string;
  key: string;
  /** The ledger transfers that book what was sent, and the fee. */
  ledgerId: string;
  feeLedgerId: string;
  transaction: string;
  asset: AssetCode;
  /** Zero where nothing but the fee left: that of a transaction which failed. */
  units: bigint;
  /** Zero where another movement of the same transaction bears it. */
  fee: bigint;
  /** The order that asked for it; null: somebody else who has the key. */
  sendId: string | null;
  to: string;
  at: Date;
};

/** An order to send money to an address. Its id is the idempotency key: it is carried out once, or not at all. */
export type SendOrder = {
  id: string;
  asset: AssetCode;
  units: bigint;
  to: string;
  memo: string | null;
};

/** How a rail sends money that it holds, where it has a key for it. */
export type Sending = {
  rail: string;
  /** Which part of an order is none, and why; null: it is one. */
  faultOf(order: Pick<SendOrder, 'to' | 'memo'>): { field: 'to' | 'memo'; why: string } | null;
  /** Takes an order in the transaction of whoever gives it. How it ends is told by an `Outflow`, or as failed. */
  order(tx: Tx, order: SendOrder): Promise<void>;
};

/** What a browser wallet must know to pay on an EVM chain. */
export type EvmTarget = {
  chainId: number;
  chainName: string;
  /** The token's contract and its decimals. */
  token: string;
  scale: number;
  nativeSymbol: string;
  /** Blocks until money counts; for the customer to know what to wait for. */
  confirmations: number;
  blockSeconds: number;
  /** Anybody's endpoint, to add the network to a wallet; never one of ours, which may hold a key. */
  publicRpcUrl: string | null;
  /** Base address of a block explorer, without a slash at its end. */
  explorer: string | null;
  /** Whether the gateway gives its coins away: on a demo chain only. */
  faucet?: boolean;
};

/** Where to send money for a payment. */
export type Destination = {
  /** The rail that will tell of it. */
  rail: string;
  asset: AssetCode;
  network: string;
  address: string;
  memo: string | null;
  /** Where the network is an EVM chain. */
  evm?: EvmTarget;
  /** Where the network is Pi's. */
  pi?: PiTarget;
};

/** What the page must know to let somebody pay inside the Pi Browser, and on a demo network. */
export type PiTarget = {
  /** Address of the script that Pi Browsers load; null: the installation takes plain transfers only. */
  sdkUrl: string | null;
  /** Whether the SDK is told that it is in Pi's sandbox. */
  sandbox: boolean;
  /** Page of a simulated wallet, and a sign that every browser may load the script: on a demo network only. */
  walletUrl: string | null;
};

/**
 * What a rail knows of a transaction that a customer names: `failed` moved nothing, `elsewhere` paid somebody else,
 * `unmatched` came to where the rail receives and named no payment.
 */
export type LookUp = 'found' | 'waiting' | 'unmatched' | 'failed' | 'elsewhere' | 'unknown';

/** Looks a transaction up on a rail's network and reports what it paid to the payment; null: not of this rail. */
export type LookUpTransaction = (paymentId: string, transaction: string) => Promise<LookUp | null>;

/** A payment that has just been created, and the currency that it is to be paid in. */
export type Opening = { id: string; currency: string };

/** What settles live payments. Test payments never reach one: the simulated rail is another type. */
export type Rail = {
  /** Makes the destinations of payments, those that it can settle, in the transaction that creates them. */
  open(tx: Tx, payments: readonly Opening[]): Promise<void>;
  /** Where money for a payment can be sent now, on every network and for every currency of the rail. */
  destinations(reader: Reader, paymentId: string): Promise<Destination[]>;
  /**
   * Up to which time those of these rails that are its own were read for a payment: it was told of all that they
   * took by then. One of which nothing is certain is left out.
   */
  readThrough(reader: Reader, paymentId: string, rails: readonly string[]): Promise<Map<string, Date>>;
  /** The name of a transaction as the rail writes it, from what a customer typed; null: no such name. */
  readTransaction(text: string): string | null;
  /** The payment that an address was made for, or null. */
  paymentOfAddress(reader: Reader, address: string): Promise<string | null>;
};

/** Money of a payment that its rail moved on to the operator's treasury, or that came back with its block. */
export type Sweep = {
  rail: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  paymentId: string;
  transaction: string;
  asset: AssetCode;
  units: bigint;
  state: 'final' | 'gone';
};

/** How a rail is doing; what it does not have (a simulated one has no blocks) is null. */
export type RailHealth = {
  rail: string;
  chain: string | null;
  lastBlock: bigint | null;
  /** How far what it shows is behind. */
  lagSeconds: number;
  /** The one that was read last, by its name. */
  endpoint: string | null;
  status: 'up' | 'behind' | 'down';
  /** What keeps money from being taken or counted. */
  faults: RailFault[];
  scan: ScanHealth | null;
};

/**
 * What an operator must know or do; docs/operations.md has a row for each:
 * - `not_scanned`: no process has read the chain yet
 * - `no_endpoint`: none of the endpoints answers
 * - `wrong_chain`: an endpoint serves another chain
 * - `not_verified`: the contracts have not been looked at yet
 * - `no_factory`, `wrong_factory`, `wrong_token`: a contract is not what it must be
 * - `stalled`: blocks are not booked, because endpoints disagree or for another reason
 * - `payments_wait`: payments whose time is over wait until the rail has read past it
 * - `not_credited`: transfers are left out, pending or credited in part, by what their addresses hold
 * - `second_reading`: endpoints left transfers out that were found later, or nobody looks for such
 * - `doubtful_head`: the only endpoint tells of blocks to which the chain can hardly have come
 * - `unconfirmed`: blocks are booked on one endpoint's word, and another one has not confirmed them
 * - `sweeping`: deposits are not moved to the treasury, or soon will not be
 * - `no_account`: the account that receives does not exist on its network
 * - `not_sending`: what was ordered to be sent is not, because of the signer, the fee or the balance
 * - `out_of_balance`: the account holds another amount than what was read of it comes to
 * - `not_completed`: the Pi platform does not confirm payments whose money is on the chain
 */
export type RailFaultCode =
  | 'not_scanned'
  | 'no_endpoint'
  | 'wrong_chain'
  | 'not_verified'
  | 'no_factory'
  | 'wrong_factory'
  | 'wrong_token'
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

/** How far a chain of blocks was read, and by whom. */
export type ScanHealth = {
  head: bigint | null;
  /** Up to here what arrived is booked. */
  final: bigint | null;
  blocksBehind: number;
  /** While it catches up. */
  blocksPerSecond: number | null;
  secondsLeft: number | null;
  /** The part of the way that it has come since it began to catch up, from 0 to 1. */
  caughtUp: number | null;
  endpoints: EndpointReport[];
};

/** How an endpoint is doing, as operators see it and as the database keeps it. */
export type EndpointReport = {
  /** Its host and place in the configuration: nothing of the address that could be a key. */
  name: string;
  /** `resting`: left alone for a while after a fault; `suspect`: it disagreed with another one, or refuses logs. */
  state: 'unused' | 'up' | 'behind' | 'suspect' | 'resting' | 'wrong_chain';
  /** What was last wrong, until it does well again. */
  fault: string | null;
  latencyMs: number | null;
  /** Blocks behind the furthest endpoint. */
  lagBlocks: number | null;
  /** How many blocks it is asked the logs of at once. */
  span: number;
  /** Seconds until it is asked again, while it rests. */
  retrySeconds: number | null;
};

/** Asked by operators: each rail of the installation tells of itself. */
export type RailProbe = () => Promise<RailHealth>;

/** Several rails as one. */
export function joinRails(rails: readonly Rail[]): Rail {
  return {
    open: async (tx, payments) => {
      for (const rail of rails) await rail.open(tx, payments);
    },
    destinations: async (reader, paymentId) => {
      const found: Destination[] = [];
      for (const rail of rails) found.push(...(await rail.destinations(reader, paymentId)));
      return found;
    },
    readThrough: async (reader, paymentId, names) => {
      const found = new Map<string, Date>();
      for (const rail of rails) {
        for (const [name, through] of await rail.readThrough(reader, paymentId, names)) {
          found.set(name, through);
        }
      }
      return found;
    },
    readTransaction: (text) => {
      for (const rail of rails) {
        const read = rail.readTransaction(text);
        if (read !== null) return read;
      }
      return null;
    },
    paymentOfAddress: async (reader, address) => {
      for (const rail of rails) {
        const found = await rail.paymentOfAddress(reader, address);
        if (found) return found;
      }
      return null;
    },
  };
}

/** Asks one rail after the other until one knows of the transaction. */
export function joinLookUps(lookUps: readonly LookUpTransaction[]): LookUpTransaction {
  return async (paymentId, transaction) => {
    for (const lookUp of lookUps) {
      const found = await lookUp(paymentId, transaction);
      if (found) return found;
    }
    return null;
  };
}
