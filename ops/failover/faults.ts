import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Node, ttlSeconds } from './node.ts';
import { signalAll } from './processes.ts';

/** What happens to the primary. */
export type Fault = {
  name: string;
  /** Resolves when it has happened; what it returns puts the server right again, after another one took its place. */
  strike(node: Node): Promise<() => Promise<void>>;
};

/** Longer than Patroni gives it, so that a fault never ends while Patroni still acts on it. */
export const lastsMs = (ttlSeconds + 10) * 1000;
const fillMs = 500;

export const faults: readonly Fault[] = [
  {
    name: 'killed',
    async strike(node) {
      signalAll(await node.processes(), 'SIGKILL');
      return async () => node.start();
    },
  },
  {
    name: 'stopped',
    async strike(node) {
      const pids = await node.processes();
      signalAll(pids, 'SIGSTOP');
      return async () => {
        // As a watchdog does: Patroni 3.0 that went on would take its lock back, and lose what came since.
        signalAll(pids, 'SIGKILL');
        node.start();
      };
    },
  },
  {
    name: 'cut off',
    async strike(node) {
      for (const relay of node.relays) relay.cut();
      return async () => {
        for (const relay of node.relays) relay.join();
      };
    },
  },
  {
    name: 'disk full',
    async strike(node) {
      const filler = join(dirname(node.wal), 'filler');
      const fill = () =>
        pipeline(Readable.from(zeros()), createWriteStream(filler, { flags: 'a' })).catch(() => {});
      await fill();
      // What PostgreSQL frees is filled too, and new segments are begun, until there is no room for one.
      const filling = setInterval(() => {
        void fill();
        void node.ask('SELECT pg_switch_wal()').catch(() => {});
      }, fillMs);
      return async () => {
        clearInterval(filling);
        await sleep(fillMs);
        await rm(filler, { force: true });
      };
    },
  },
];

function* zeros(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}
