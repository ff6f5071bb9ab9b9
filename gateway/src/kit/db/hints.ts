import type pg from 'pg';
import { type Database, keptAlive } from './db.ts';
import { newClient } from './primary.ts';
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
const notify = { name: 'notify', text: 'SELECT pg_notify($1, $2)' };
const maxPayloadBytes = 7_000;
const reconnectMs = 1_000;
const usualLimits = { everyMs: 30_000, answerMs: 10_000 };

/**
 * `everyMs`: how often a listener asks whether its server still answers, since it does not notice a connection that was cut
 * silently. `answerMs`, which is shorter: how long it waits for the answer.
 */
type Limits = { everyMs: number; answerMs: number };

/** Makes the hints of this process, on a connection of their own. Listeners of the same process are called directly. */
export function createHints(db: Database, connection: pg.PoolConfig, limits: Limits = usualLimits): Hints {
  const listeners = new Map<string, Set<(key: string) => void>>();
  const origin = `${process.pid}.${Math.random().toString(36).slice(2)}`;

  function deliver(topic: string, key: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(key);
  }

  function receive(payload: string): void {
    const [from, ...lines] = payload.split('\n');
    if (from === origin) return;
    for (const line of lines) {
      const space = line.indexOf(' ');
      deliver(line.slice(0, space), line.slice(space + 1));
    }
  }

  const notifier = createNotifier(db, origin);
  const listening = startListening(connection, limits, receive);
  return {
    send(topic, key = '') {
      deliver(topic, key);
      notifier.add(`${topic} ${key}`);
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
      notifier.stop();
      await listening.close();
    },
  };
}

/** Sends lines by NOTIFY. Those that come during one NOTIFY share the next: it takes a lock that all commits share. */
function createNotifier(db: Database, origin: string) {
  let waiting = new Set<string>();
  const waker = createWaker(
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
        await db.query({ ...notify, values: [channel, payload] }).catch(() => {});
      }
    },
    () => {},
  );
  return {
    add(line: string): void {
      waiting.add(line);
      waker.wake();
    },
    stop: (): void => void waker.stop(),
  };
}

/** Listens on a connection of its own, which is opened again a second after it is lost. */
function startListening(
  connection: pg.PoolConfig,
  { everyMs, answerMs }: Limits,
  receive: (payload: string) => void,
) {
  let isClosed = false;
  let client: pg.Client | undefined;
  let reconnect: NodeJS.Timeout | undefined;

  async function listen(): Promise<void> {
    const next = newClient({
      ...connection,
      ...keptAlive,
      application_name: 'florin hints',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    let check: NodeJS.Timeout | undefined;
    const listenAgain = (): void => {
      clearInterval(check);
      if (client === next) client = undefined;
      if (isClosed || reconnect) return;
      reconnect = setTimeout(() => {
        reconnect = undefined;
        void listen();
      }, reconnectMs);
      reconnect.unref();
    };
    // A statement without an answer stays open, so the end of its connection is not awaited.
    const giveUp = (): void => {
      listenAgain();
      void next.end().catch(() => {});
    };
    next.on('error', listenAgain);
    next.on('end', listenAgain);
    next.on('notification', (message) => receive(message.payload ?? ''));
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
      client = next;
      check = setInterval(() => void next.query('SELECT').catch(giveUp), everyMs);
      check.unref();
      if (isClosed) await next.end();
    } catch {
      giveUp();
    }
  }

  void listen();
  return {
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(reconnect);
      await client?.end().catch(() => {});
    },
  };
}
