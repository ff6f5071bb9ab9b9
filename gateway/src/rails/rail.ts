import type { Mode } from '../identity/integration.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import type { ByHand } from './by-hand.ts';
import type { Derivation, TokenPlace } from './direct.ts';
import type { Owner, ReusableOwner } from './owner.ts';

/** What a rail reports of one transfer, each time it changes. */
export type Observation = {
  rail: string;
  /** Identifies this transfer on its chain for good; two transfers in one transaction have two keys. */
  key: string;
  paymentId: string;
  transaction: string;
  asset: AssetCode;
  /** Units at the asset's scale. */
  units: bigint;
  /** `seen`: on the chain, not yet final. `gone`: no longer on the chain, even if it was final before. */
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  needed: number;
  /**
   * When it came: by the time of its block, or when the rail saw it first, whichever is earlier (contract.md#states).
   * Absent where the rail has no time of its own.
   */
  takenAt?: Date;
  /** The address that it came from, where the rail knows it. */
  sender?: string;
  /** Its address passes it on to the merchant's own, less the host's part: it is never the gateway's. */
  direct?: { merchant: string; basisPoints: number };
};

/** Money that came to an address or account of a rail and names no payment. Final when it is reported. */
export type UnmatchedDeposit = {
  rail: string;
  /** As `Observation.key`: it stays the same when the deposit turns out to be a payment's. */
  key: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  transaction: string;
  asset: AssetCode;
  units: bigint;
  sender: string | null;
  /** The memo that it came with, for people to read. */
  memo: string | null;
  /** When it arrived on its chain. */
  at: Date;
};

/** Money that left the account of a rail, with the network's fee. Final when it is reported. */
export type Outflow = {
  rail: string;
  key: string;
  /** The ledger transfers that book the amount and the fee. */
  ledgerId: string;
  feeLedgerId: string;
  transaction: string;
  asset: AssetCode;
  /** Zero for a transaction that failed: only its fee left the account. */
  units: bigint;
  /** Zero where another movement of the same transaction bears the fee. */
  fee: bigint;
  /** The order that it carries out; null: someone with the key sent it without an order. */
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

/** The parts of an order that `Sending.faultOf` checks. */
export type SendTo = Pick<SendOrder, 'asset' | 'to' | 'memo'>;

/** How a rail sends money that it holds. */
export type Sending = {
  rail: string;
  /** Which money it sends. */
  mode: Mode;
  /** The ledger account that the money leaves to. */
  outside: { kind: 'external'; owner: string };
  assets: readonly AssetCode[];
  /** Which field of an order cannot be used, and why; null: the order can be carried out. */
  faultOf(order: SendTo): { field: 'to' | 'memo'; why: string } | null;
  /** Which of these destinations are addresses at which this gateway receives money. */
  ownOf(reader: Reader, destinations: readonly string[]): Promise<ReadonlySet<string>>;
  /** Why no order of an asset is taken now, in words; null: orders are taken. */
  unavailable(reader: Reader, asset: AssetCode): Promise<string | null>;
  /** Takes an order in the caller's transaction. Its reports follow. */
  order(tx: Tx, order: SendOrder): Promise<void>;
  /** Cancels an order in the caller's transaction; false where it was signed already, or has ended. */
  cancel(tx: Tx, id: string): Promise<boolean>;
  /** How orders are paid by hand in place of its key; absent where they cannot be. */
  byHand?: ByHand;
};

/** What a rail reports of an order, each time it changes. */
export type SendReport = {
  rail: string;
  /** The order's. */
  id: string;
  /**
   * `waiting`: not signed, or its signed transaction can never carry it out; `sending`: signed; `sent`: final on the
   * chain; `undone`: it was sent, and its block left the chain; `failed`: it will never be carried out.
   */
  state: 'waiting' | 'sending' | 'sent' | 'undone' | 'failed';
  transaction: string | null;
  /** Why it waits or failed, in words; else null. */
  why: string | null;
  at: Date;
};

/** What a browser wallet must know to pay on an EVM chain. */
export type EvmTarget = {
  chainId: number;
  chainName: string;
  /** The token's contract and its decimals. */
  token: string;
  scale: number;
  nativeSymbol: string;
  /** Blocks until money counts, to show the customer. */
  confirmations: number;
  blockSeconds: number;
  /** A public endpoint, with which a wallet adds the network; never a configured one, whose address may hold a key. */
  publicRpcUrl: string | null;
  /** Address of a block explorer, without a slash at its end. */
  explorer: string | null;
  /** The gateway hands out coins: on a demo chain only. */
  faucet?: boolean;
};

/** Where to send money for a payment. */
export type Destination = {
  /** The rail that reports deposits there. */
  rail: string;
  asset: AssetCode;
  network: string;
  address: string;
  memo: string | null;
  /** Set where the rail could not read its network for minutes: it is shown only to customers who chose it before. */
  isUnreadable?: true;
  /** Set on test networks, whose coins have no value. */
  isTest?: boolean;
  /** Set where the money goes to the merchant's own address (contract.md#direct). */
  isDirect?: true;
  /** Set where the network is an EVM chain. */
  evm?: EvmTarget;
  /** Set where the network is Pi's. */
  pi?: PiTarget;
};

/** What the hosted page needs for a payment inside the Pi Browser, and on a demo network. */
export type PiTarget = {
  /** Address of the script that Pi Browsers load; null: the installation takes plain transfers only. */
  sdkUrl: string | null;
  /** Whether the SDK runs in Pi's sandbox. */
  sandbox: boolean;
  /** Page of a simulated wallet, with which every browser may load the script: on a demo network only. */
  walletUrl: string | null;
};

/** A way to pay of which there is no destination yet: it is made when the customer chooses it. */
export type Offer = Omit<Destination, 'address' | 'memo'>;

/** A live payment that was just created, and its currency. */
type Opening = { id: string; currency: string };

/** A rail that settles live payments, and test payments on test networks. Simulation is a rail of another type. */
export type Rail = {
  /** Makes the destinations of those live payments that it can settle, in the transaction that creates them. */
  open(tx: Tx, payments: readonly Opening[]): Promise<void>;
  /** Where money for a payment can be sent now, for every network and currency of the rail. */
  destinations(reader: Reader, paymentId: string): Promise<Destination[]>;
  /** Makes the address or memo of an owner for an asset, unless there is one. False: not an asset of the rail. */
  openFor(tx: Tx, owner: Owner, asset: AssetCode): Promise<boolean>;
  /** The assets that a payment can be paid with now: of the networks in live mode, of test networks in test mode. */
  offers(reader: Reader, payment: { id: string; mode: Mode }): Promise<Offer[]>;
  /** Where money can be sent to an owner now, again and again. */
  reusable(reader: Reader, owner: ReusableOwner): Promise<Destination[]>;
  /**
   * The time up to which each of the named rails that belong to this one was read for a payment: every transfer up to
   * then has been reported. It is later neither than the time of the last block that was read nor than the clock when it
   * was read. A rail of which nothing is certain is left out.
   */
  readThrough(reader: Reader, paymentId: string, rails: readonly string[]): Promise<Map<string, Date>>;
  /** The id of a transaction as the rail writes it, from a customer's text; null where the text is no such id. */
  readTransaction(text: string): string | null;
  /** By what the addresses of a payment can be recomputed; absent: nobody else can. */
  derivations?(reader: Reader, payment: Opening): Promise<Derivation[]>;
  /** Where an asset's token is; null: it is none of the rail, or nothing of its network was read yet. */
  tokenPlace?(reader: Reader, asset: AssetCode): Promise<TokenPlace | null>;
  /** The payment that an address was made for, or null. */
  paymentOfAddress(reader: Reader, address: string): Promise<string | null>;
};

/**
 * Money of a payment that its rail moved to the operator's treasury or vault, or to the merchant's splitter (`final`), or
 * whose move a reorg removed (`gone`).
 */
export type Sweep = {
  rail: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  paymentId: string;
  transaction: string;
  asset: AssetCode;
  units: bigint;
  to: 'treasury' | 'vault' | 'direct';
  state: 'final' | 'gone';
};
