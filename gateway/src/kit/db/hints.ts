import pg from 'pg';
import { type Database, keptAlive } from './db.ts';
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
const usualLimits = { everyMs: 30_000, answerMs: 10_000 };

/**
 * `everyMs`: how often a listener asks whether its server is there, since it would not hear that its connection was cut without a
 * word. `answerMs`, which is shorter: how long it waits for the answer.
 */
export function createHints(
  db: Database,
  connection: pg.ClientConfig,
  { everyMs, answerMs } = usualLimits,
): Hints {
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
    const next = new pg.Client({
      ...connection,
      ...keptAlive,
      application_name: 'florin hints',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    let check: NodeJS.Timeout | undefined;
    const again = (): void => {
      clearInterval(check);
      if (client === next) client = undefined;
      if (!closed && !reconnect) {
        reconnect = setTimeout(() => {
          reconnect = undefined;
          void listen();
        }, reconnectMs);
        reconnect.unref();
      }
    };
    // An answer that does not come leaves its statement open, and so the connection is not waited for.
    const lose = (): void => {
      again();
      void next.end().catch(() => {});
    };
    next.on('error', again);
    next.on('end', again);
    next.on('notification', (message) => receive(message.payload ?? ''));
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
      client = next;
      check = setInterval(() => void next.query('SELECT').catch(lose), everyMs);
      check.unref();
      if (closed) await next.end();
    } catch {
      lose();
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
