import type { Reader, Tx } from '../kit/db/db.ts';

/** The orders of one asset that wait for a network's key, and that an export can take instead. */
export type Exportable = { asset: string; count: number; units: bigint };

/** Orders that were given out as a file, to be paid by a person or by a Safe. */
export type HandExport = {
  id: string;
  /** Who exported, as shown to people. */
  by: string;
  at: Date;
  /** How many orders its file has, how many of them are paid, and how many wait to be paid by hand. */
  orders: number;
  paid: number;
  waiting: number;
  /** Whether the key may send the orders that wait: see `ByHand.takeBack`. */
  canTakeBack: boolean;
  /** Whether its file could still pay something, so that ids of it can be used up. */
  canUseUp: boolean;
};

/** The state of an order that was ever exported, or that nothing can pay any more. */
export type HandStanding = {
  /** The export that it is paid by; null: it was taken back, or never exported. */
  exportId: string | null;
  /** Whether nothing can pay it any more, so that it can be cancelled. */
  isUsedUp: boolean;
};

/** `safe`: for a Safe's Transaction Builder; `list`: as CSV; `use-up`: for a Safe, after which nothing can pay them. */
export const handFileKinds = ['safe', 'list', 'use-up'] as const;
export type HandFileKind = (typeof handFileKinds)[number];
export type HandFile = { name: string; type: string; text: string };

/**
 * How orders of a rail are paid by hand in place of its key. After its export no key signs an order, and only its network
 * shows that it was paid. An exported order can be cancelled only when nothing can pay it any more, which is never known
 * of plain transfers.
 */
export type ByHand = {
  /** The network's name, as shown to people. */
  network: string;
  /** What pays: a vault, which pays each order once, or plain transfers of a treasury. */
  from: 'vault' | 'treasury';
  exportable(reader: Reader): Promise<Exportable[]>;
  /** Exports queued orders, the oldest first and at most `exportAtMost`; null where there are none. */
  export(tx: Tx, by: string): Promise<HandExport | null>;
  /** The newest exports. */
  exports(reader: Reader, atMost: number): Promise<HandExport[]>;
  find(reader: Reader, exportId: string): Promise<HandExport | null>;
  /** The orders of an export that still wait, as a file; null where there are none. */
  file(reader: Reader, exportId: string, kind: HandFileKind): Promise<HandFile | null>;
  /** Lets the key send the orders of an export that still wait. Returns how many these are. */
  takeBack(tx: Tx, exportId: string): Promise<number>;
  /** The states of those orders that were ever exported, or that nothing can pay any more. */
  standings(reader: Reader, ids: readonly string[]): Promise<Map<string, HandStanding>>;
};

/** One export has at most this many orders: their transaction must fit into a block. */
export const exportAtMost = 300;
