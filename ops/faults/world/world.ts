import type { Log } from './log.ts';

/** `0x` and hexadecimal digits, as everything of an EVM chain is written. */
export type Hex = `0x${string}`;

export type Mode = 'test' | 'live';

/** What a world is made of besides what each has. It follows from the seed: `shapeOf` of schedule.ts. */
export type Shape = {
  /** Two gateways with one process each, or one with `--workers 2`. */
  gateways: 'two' | 'workers';
  /** Whether users' wallets are in the ledger of Florin, or in a wallet backend beside it. */
  wallets: 'embedded' | 'backend';
};

/**
 * One installation of Florin with all that is around it, on this machine, and before each part something that can break it.
 * It serves many seeds, one after the other: whoever plays makes references of its own for each.
 */
export type World = {
  shape: Shape;
  /** Each is reached as a merchant reaches it, which may break at any byte. A careful client tries them in turn. */
  gateways: readonly Gateway[];
  merchants: readonly Merchant[];
  /** Users of Florin's own wallets, or those of the wallet backend. They are nobody's merchants. */
  users: readonly { username: string; password: string }[];
  operator: { email: string; password: string };
  chain: Chain;
  pi: PiNetwork;
  /** Null where wallets are embedded. */
  wallets: WalletBackend | null;
  /** All mails that the mail server took, oldest first. */
  mails: readonly { atMs: number; to: readonly string[]; subject: string; source: string }[];
  clock: Clock;
  /** Environment of commands of `florin` on this installation, such as `audit` and `reserves`; it names no relay. */
  settings: Readonly<Record<string, string>>;
  log: Log;
};

export type Gateway = {
  /** `gateway-1`, `gateway-2` */
  name: string;
  /** Without a slash at its end. */
  url: string;
};

/** A business with an approved live integration. The first one is that of the demo. */
export type Merchant = {
  /** `merchant-1` */
  name: string;
  integrationId: string;
  /** Signs in to the dashboard. */
  person: { email: string; password: string };
  keys: Readonly<Record<Mode, Keys>>;
  /** Gets every event of both modes; an endpoint of the API for each mode. */
  receivers: Readonly<Record<Mode, Receiver>>;
  /** The asset whose live payments settle to an address of its own; null: its balance gets all of them. */
  ownAsset: string | null;
};

export type Keys = {
  /** Signs webhooks, and may do all but pay out and refund. */
  secretKey: string;
  /** A restricted key that may make payouts and refunds, read payments, balances and events. */
  payoutKey: string;
};

/** One webhook as it came. */
export type Arrival = {
  /** Real time, milliseconds since 1970; `worldMs`: that of the world's clock. */
  atMs: number;
  worldMs: number;
  raw: Buffer;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What the receiver did: a status, or `none` where it took it and said nothing. */
  answered: number | 'none';
};

export type Receiver = {
  endpointId: string;
  /** `whsec_...` */
  secret: string;
  /** All that came, repeats included, in the order of arrival. */
  arrivals: readonly Arrival[];
};

/** An EVM chain, reached without a relay: what it says is true. Blocks come by themselves, also for transactions of others. */
export type Chain = {
  /** JSON-RPC of anvil. */
  rpcUrl: string;
  chainId: number;
  /** Contract by asset code, with its decimals. */
  tokens: Readonly<Record<string, { address: Hex; scale: number }>>;
  /** A token that no payment is in. */
  strangeToken: Hex;
  /** Accounts with coins for gas and many of each token; `key` is their private key. Nobody else sends from them. */
  customers: readonly { address: Hex; key: Hex }[];
  treasury: Hex;
  vault: Hex;
  /** Where the host's part of direct settlements goes. */
  host: Hex;
  factory: Hex;
  /** A block is final when so many follow it. Reorgs never go deeper than that less one. */
  finalDepth: number;
  /** Makes so many blocks at once. */
  grow(blocks: number): Promise<void>;
};

/** The Pi network, reached without a relay: what it says is true. */
export type PiNetwork = {
  horizonUrl: string;
  passphrase: string;
  custodyAccount: string;
  /** Accounts with coins: `S...` */
  customers: readonly { address: string; secret: string }[];
};

/** A system of others that keeps users' money, with its own book. */
export type WalletBackend = {
  /** What it has credited and not taken back, by id. */
  credits(): readonly { id: string; username: string; asset: string; amount: string; mode: string }[];
};

/** The clock of the world, which chain, Pi network and every gateway without a clock break follow. It only goes on. */
export type Clock = {
  /** Milliseconds since 1970. It is ahead of the machine's clock, and goes as fast or faster. */
  now(): number;
  /**
   * Lets so much time pass at once, for everything: deadlines and retries of webhooks are due then. Resolves when all
   * gateways have it.
   */
  pass(ms: number): Promise<void>;
};

/** One party that a break is done to: a process, or what stands before it. */
export type Target =
  | 'gateway-1'
  | 'gateway-2'
  | 'database'
  | 'chain'
  | 'endpoint-1'
  | 'endpoint-2'
  | 'horizon-1'
  | 'horizon-2'
  | 'wallets'
  | 'mail'
  | 'signer'
  | 'rates-1'
  | 'rates-2'
  | 'receivers';

/** One fault of a schedule. All that it does follows from these values. */
export type Break = {
  /** A row of breaks/kinds.ts. */
  kind: string;
  target: Target;
  /** Milliseconds from the beginning of the seed to the beginning of the break, and from there to its end. */
  atMs: number;
  forMs: number;
  /** A number between 0 and 1 that says the rest, such as after how many bytes, how deep or how far. */
  share: number;
};

/** Why a model objects. */
export type Verdict = {
  kind: 'lost' | 'doubled' | 'wrong';
  /** A sentence with the references that it is about. */
  said: string;
};

/**
 * What plays in a world for one seed: parties that act, and the model that judges. `startPlay` of play.ts makes it; the
 * command calls what follows, in this order: `check` every few seconds while breaks begin and end, `rest` when the schedule
 * is over and all is healed, then `finish`.
 */
export type Play = {
  /** What is wrong by now already. Empty: nothing is. */
  check(): Promise<Verdict[]>;
  /** Nobody begins anything new. Resolves when all parties have their answers. */
  rest(): Promise<void>;
  /**
   * Waits for a bounded time until nothing is under way any more, and judges everything. `hadReorg`: some payments wait for
   * transfers that may return.
   */
  finish(hadReorg: boolean): Promise<Verdict[]>;
  /** How many there were of each, such as `payments`, `events` and `units`. */
  counts(): Readonly<Record<string, number | bigint>>;
};

/**
 * `run` is the same word for the same seed and the same start of the command: references begin with it. `pace`: what is done of
 * all that the seed says, in as much less time.
 */
export type StartPlay = (world: World, given: { seed: number; run: string; pace: number }) => Promise<Play>;
