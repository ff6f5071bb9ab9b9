import type { PoolClient } from 'pg';
import type { Database } from '../../src/kit/db/db.ts';

/** What comes of a process at the step at which something happened. */
export type Outcome = 'lives' | 'dies' | 'dies after';

/** A process as its database and its networks see it: it may end before or after any exchange with them. */
export type Mortal = {
  db: Database;
  /** One exchange with a network. */
  step<T>(exchange: () => Promise<T>): Promise<T>;
  isDead(): boolean;
  /**
   * At the `at`-th exchange from now, or, where `happening` uses the database itself, the next one outside a
   * transaction: this happens, and the process goes on, or ends without a word, before it or when it is done.
   */
  interrupt(at: number, usesDatabase: boolean, happening: () => Promise<Outcome>): void;
  /** Whatever was to happen and did not will not. */
  calm(): void;
};

export class Killed extends Error {}

type Interrupt = { left: number; usesDatabase: boolean; happening: () => Promise<Outcome> };

export function mortal(db: Database): Mortal {
  let dead = false;
  const inTransaction = new Set<object>();
  let interrupt: Interrupt | null = null;

  async function step<T>(exchange: () => Promise<T>): Promise<T> {
    if (dead) throw new Killed('killed');
    const outcome = await meanwhile();
    if (outcome === 'dies') dead = true;
    if (dead) throw new Killed('killed');
    const result = await exchange();
    if (outcome === 'dies after') dead = true;
    if (dead) throw new Killed('killed');
    return result;
  }

  async function meanwhile(): Promise<Outcome> {
    if (!interrupt) return 'lives';
    interrupt.left -= 1;
    if (interrupt.left > 0 || (interrupt.usesDatabase && inTransaction.size > 0)) return 'lives';
    const { happening } = interrupt;
    interrupt = null;
    return await happening();
  }

  async function query(target: Pick<Database, 'query'>, args: Parameters<Database['query']>) {
    try {
      return await step(async () => await target.query(...args));
    } finally {
      const status = (target as Partial<PoolClient>).getTransactionStatus?.() ?? 'I';
      if (status === 'I') inTransaction.delete(target);
      else inTransaction.add(target);
    }
  }

  async function connect() {
    let client: PoolClient | undefined;
    try {
      await step(async () => {
        client = await db.connect();
      });
    } catch (error) {
      client?.release(true);
      throw error;
    }
    const own = new Map<string | symbol, unknown>();
    return new Proxy(client!, {
      get: (of, name) => (own.has(name) ? own.get(name) : read(of, name)),
      // A transaction takes over the client's `query`; what it sends is counted below that.
      set: (_, name, value) => own.set(name, value).has(name),
      deleteProperty: (_, name) => own.delete(name),
    });
  }

  /** A property of the pool or of a connection, with the exchanges counted. */
  function read(of: object, name: string | symbol): unknown {
    if (name === 'query') return (...args: unknown[]) => query(of as Database, args as never);
    if (name === 'connect') return connect;
    const value = Reflect.get(of, name) as unknown;
    return typeof value === 'function' ? value.bind(of) : value;
  }

  return {
    db: new Proxy(db, { get: (of, name) => read(of, name) }),
    step,
    isDead: () => dead,
    interrupt: (at, usesDatabase, happening) => {
      interrupt = { left: at, usesDatabase, happening };
    },
    calm: () => {
      interrupt = null;
    },
  };
}
