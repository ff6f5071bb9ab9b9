import { DatabaseSync } from 'node:sqlite';
import type { Currency } from '@florin/sdk';

/** Whether money moves, or only looks as if it did. */
export type Mode = 'test' | 'live';

/** An order as it was placed. What it cost then is kept with it; `totalCents` is in hundredths. */
export type Order = {
  id: string;
  product: string;
  name: string;
  quantity: number;
  unitCents: number;
  totalCents: number;
  currency: Currency;
  email: string;
  /** How it is paid. */
  mode: Mode;
  status: 'open' | 'paid' | 'failed';
  /** What the shopkeeper and the customer should know beside the status; often empty. */
  note: string;
  /** ISO 8601 UTC. */
  createdAt: string;
};

/** One try at paying an order. An order whose payment failed or was abandoned gets another. */
export type Payment = {
  reference: string;
  orderId: string;
  /** From 1. */
  attempt: number;
  url: string;
  status: 'open' | 'completed' | 'failed' | 'abandoned';
  /** A line for each address that was verified; empty where none was. */
  words: string;
};

/** The shop's own database. */
export type Store = DatabaseSync;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 2000;
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, product TEXT NOT NULL, name TEXT NOT NULL, quantity INTEGER NOT NULL,
    unitCents INTEGER NOT NULL, totalCents INTEGER NOT NULL, currency TEXT NOT NULL, email TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'failed')), note TEXT NOT NULL, createdAt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS orders_by_time ON orders (createdAt);
  CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY, orderId TEXT NOT NULL REFERENCES orders, attempt INTEGER NOT NULL, url TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'completed', 'failed', 'abandoned')), UNIQUE (orderId, attempt)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS events (eventId TEXT PRIMARY KEY, type TEXT NOT NULL) STRICT;
`;

/** Opens the database file and makes the tables that are missing. */
export function openStore(path: string): Store {
  const store = new DatabaseSync(path);
  store.exec(SCHEMA);
  const { found } = store
    .prepare("SELECT count(*) AS found FROM pragma_table_info('orders') WHERE name = 'mode'")
    .get() as { found: number };
  // A database of an older shop knew test orders alone.
  if (found === 0) store.exec("ALTER TABLE orders ADD COLUMN mode TEXT NOT NULL DEFAULT 'test'");
  const { words } = store
    .prepare("SELECT count(*) AS words FROM pragma_table_info('payments') WHERE name = 'words'")
    .get() as { words: number };
  if (words === 0) store.exec("ALTER TABLE payments ADD COLUMN words TEXT NOT NULL DEFAULT ''");
  return store;
}

/** Runs `work` so that all of it is kept or, when it throws, nothing. */
export function transaction<Result>(store: Store, work: () => Result): Result {
  store.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    store.exec('COMMIT');
    return result;
  } catch (error) {
    store.exec('ROLLBACK');
    throw error;
  }
}

export function insertOrder(store: Store, order: Order): void {
  const columns = Object.keys(order);
  const values = columns.map((column) => `$${column}`);
  store.prepare(`INSERT INTO orders (${columns}) VALUES (${values})`).run(order);
}

export function findOrder(store: Store, id: string): Order | undefined {
  return store.prepare('SELECT * FROM orders WHERE id = ?').get(id) as Order | undefined;
}

/** The newest orders first. */
export function listOrders(store: Store, limit: number): Order[] {
  const sql = 'SELECT * FROM orders ORDER BY createdAt DESC, id LIMIT ?';
  return store.prepare(sql).all(limit) as unknown as Order[];
}

export function updateOrder(store: Store, id: string, change: Pick<Order, 'status' | 'note'>): void {
  store
    .prepare('UPDATE orders SET status = $status, note = $note WHERE id = $id')
    .run({ id, status: change.status, note: change.note });
}

/** Keeps a payment; one that is there already stays as it is. */
export function insertPayment(store: Store, payment: Omit<Payment, 'status'>): void {
  store
    .prepare(
      `INSERT INTO payments (reference, orderId, attempt, url, status, words)
       VALUES ($reference, $orderId, $attempt, $url, 'open', $words) ON CONFLICT DO NOTHING`,
    )
    .run(payment);
}

export function findPayment(store: Store, reference: string): Payment | undefined {
  return store.prepare('SELECT * FROM payments WHERE reference = ?').get(reference) as Payment | undefined;
}

/** The newest try at paying an order. */
export function latestPayment(store: Store, orderId: string): Payment | undefined {
  const sql = 'SELECT * FROM payments WHERE orderId = ? ORDER BY attempt DESC LIMIT 1';
  return store.prepare(sql).get(orderId) as Payment | undefined;
}

export function updatePayment(store: Store, reference: string, status: Payment['status']): void {
  store.prepare('UPDATE payments SET status = ? WHERE reference = ?').run(status, reference);
}

/** Marks an event as seen. False when it was seen before: whoever asks must then do nothing. */
export function rememberEvent(store: Store, eventId: string, type: string): boolean {
  const sql = 'INSERT INTO events VALUES (?, ?) ON CONFLICT DO NOTHING';
  return store.prepare(sql).run(eventId, type).changes === 1;
}
