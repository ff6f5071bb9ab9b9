import pg from 'pg';
import type { Database } from './db.ts';
import { createWaker } from './waker.ts';

/**
 * Notifies listeners in every process that something changed, so that they need not wait for their next poll. A hint
 * may be lost, so listeners also poll.
 */
export type Hints = {
  send(topic: string, key?: string): void;
  /** Returns a function that ends the subscription. */
  on(topic: string, listener: (key: string) => void): () => void;
  close(): Promise<void>;
};

const channel = 'florin';
const maxPayloadBytes = 7_000;
const reconnectMs = 1_000;

export function createHints(db: Database, connection: pg.ClientConfig): Hints {
  const listeners = new Map<string, Set<(key: string) => void>>();
  const origin = `${process.pid}.${Math.random().toString(36).slice(2)}`;
  let waiting = new Set<string>();
  let closed = false;
  let client: pg.Client | undefined;
  let reconnect: NodeJS.Timeout | undefined;

  function deliver(topic: string, key: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(key);
  }

  // One NOTIFY for all hints that came during the one before: NOTIFY takes a lock that all commits share.
  const notifier = createWaker(
    async () => {
      const lines = [...waiting];
      waiting = new Set();
      let line = lines.shift();
      while (line !== undefined) {
        let payload = origin;
        while (line !== undefined && payload.length + line.length < maxPayloadBytes) {
          payload += `\n${line}`;
          line = lines.shift();
        }
        await db.query('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => {});
      }
    },
    () => {},
  );

  function receive(payload: string): void {
    const [from, ...lines] = payload.split('\n');
    if (from === origin) return;
    for (const line of lines) {
      const space = line.indexOf(' ');
      deliver(line.slice(0, space), line.slice(space + 1));
    }
  }

  async function listen(): Promise<void> {
    const next = new pg.Client({ ...connection, application_name: 'florin hints' });
    const again = (): void => {
      if (client === next) client = undefined;
      if (!closed && !reconnect) {
        reconnect = setTimeout(() => {
          reconnect = undefined;
          void listen();
        }, reconnectMs);
        reconnect.unref();
      }
    };
    next.on('error', again);
    next.on('end', again);
    next.on('notification', (message) => receive(message.payload ?? ''));
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
      client = next;
      if (closed) await next.end();
    } catch {
      again();
    }
  }
  void listen();

  return {
    send(topic, key = '') {
      deliver(topic, key);
      waiting.add(`${topic} ${key}`);
      notifier.wake();
    },
    on(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(topic);
      };
    },
    async close() {
      closed = true;
      void notifier.stop();
      clearTimeout(reconnect);
      await client?.end().catch(() => {});
    },
  };
}
