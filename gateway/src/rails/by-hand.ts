import type { Reader, Tx } from '../kit/db/db.ts';

/** What a network's key would send, and an export would take in its place. */
export type Exportable = { asset: string; count: number; units: bigint };

/** Orders that were given out as a file, to be paid by a person or by a Safe. */
export type HandExport = {
  id: string;
  /** Who exported, as people read it. */
  by: string;
  at: Date;
  /** How many orders its file had; of those, how many are paid, and how many wait to be paid by hand. */
  orders: number;
  paid: number;
  waiting: number;
  /** Whether the key may send what waits: see `ByHand.takeBack`. */
  canTakeBack: boolean;
  /** Whether its file could still pay something, so that ids of it can be used up. */
  canUseUp: boolean;
};

/** How an order stands that was ever exported, or that nothing can pay any more. */
export type HandStanding = {
  /** The export by which it is paid; null: it was taken back, or never exported. */
  exportId: string | null;
  /** Whether nothing can pay it any more, so that it can be cancelled. */
  isUsedUp: boolean;
};

/** `safe`: for a Safe's Transaction Builder; `list`: as CSV; `use-up`: for a Safe, after which nothing can pay them. */
export const handFileKinds = ['safe', 'list', 'use-up'] as const;
export type HandFileKind = (typeof handFileKinds)[number];
export type HandFile = { name: string; type: string; text: string };

/**
 * How orders of a rail are paid by hand in place of its key. From its export on nothing signs an order; its network
 * alone shows that it was paid. An order that was exported can be cancelled only when nothing can pay it any more; of plain
 * transfers nobody ever knows that.
 */
export type ByHand = {
  /** The network, as people read it. */
  network: string;
  /** What pays: a vault, which pays each once, or plain transfers of a treasury. */
  from: 'vault' | 'treasury';
  exportable(reader: Reader): Promise<Exportable[]>;
  /** Exports what is queued, the oldest first and at most `exportAtMost`; null where there is nothing. */
  export(tx: Tx, by: string): Promise<HandExport | null>;
  /** The newest exports. */
  exports(reader: Reader, atMost: number): Promise<HandExport[]>;
  find(reader: Reader, exportId: string): Promise<HandExport | null>;
  /** What of an export still waits, as a file; null where nothing does. */
  file(reader: Reader, exportId: string, kind: HandFileKind): Promise<HandFile | null>;
  /** Lets the key send what of an export still waits. Returns how many orders that are. */
  takeBack(tx: Tx, exportId: string): Promise<number>;
  /** Those of the orders that were ever exported, or that nothing can pay any more. */
  standings(reader: Reader, ids: readonly string[]): Promise<Map<string, HandStanding>>;
};

/** One export has at most this many orders: their transaction must fit into a block. */
export const exportAtMost = 300;
