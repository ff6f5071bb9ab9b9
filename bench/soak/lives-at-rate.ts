// Plays merchants whose customers come at a fixed rate, whether earlier ones were served or not.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../child.ts';
import { openLines } from '../lines.ts';
import { type Faults, openLives, type Second } from './lives.ts';

/** So many lives a second for so long, over so many connections; one phase follows the other without a pause. */
export type RatePhase = { perSecond: number; seconds: number; connections: number };

export type RateRequest = {
  port: number;
  /** The merchants' secret keys, used in turn. */
  keys: string[];
  phases: RatePhase[];
  /** Where each create that was answered 200 is written, by its reference: one a line. */
  created: string;
  /** The same of payments that were paid, with the second since 1970 in which that was answered. */
  completed: string;
};

export type SecondFigure = Omit<Second, 'times'> & { p50Ms: number; p99Ms: number };

export type RateReply = {
  startedAtMs: number;
  seconds: SecondFigure[];
  withoutRetryAfter: number;
  faults: Faults;
  /** The share of one core that this program used. */
  cpu: number;
};

const tickMs = 2;

answer<RateRequest, RateReply>(async ({ port, keys, phases, created, completed }) => {
  const lines = openLines(port, { redials: true });
  const files = { created: createWriteStream(created), completed: createWriteStream(completed) };
  const lives = openLives(lines, keys, {
    created: (reference) => void files.created.write(`${reference}\n`),
    completed: (reference) => void files.completed.write(`${reference}\t${(Date.now() / 1000).toFixed(3)}\n`),
  });
  const seconds: Second[] = [];
  const cpu = process.cpuUsage();
  const startedAtMs = Date.now();
  const begunMs = performance.now();
  let endMs = begunMs;
  let dialled = 0;
  for (const { perSecond, seconds: length, connections } of phases) {
    if (connections > dialled) await lines.dial(connections - dialled);
    else lines.hangUp(dialled - connections);
    dialled = connections;
    const startMs = endMs;
    endMs += length * 1000;
    for (let sent = 0; performance.now() < endMs; ) {
      const due = Math.floor(((performance.now() - startMs) / 1000) * perSecond);
      for (; sent < due; sent++) {
        const dueMs = startMs + (sent / perSecond) * 1000;
        const at = Math.floor((dueMs - begunMs) / 1000);
        seconds[at] ??= { due: 0, completed: 0, refused: 0, left: 0, times: undefined };
        lives.begin(dueMs, seconds[at]);
      }
      lives.sendWaiting();
      await sleep(tickMs);
    }
  }
  while (lives.open() > 0) {
    lives.sendWaiting();
    await sleep(tickMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  const tookMs = performance.now() - begunMs;
  lines.close();
  await Promise.all(Object.values(files).map((file) => once(file.end(), 'finish')));
  return {
    startedAtMs,
    seconds: Array.from(seconds, figureOf),
    withoutRetryAfter: lives.withoutRetryAfter(),
    faults: lives.faults,
    cpu: (user + system) / 1000 / tookMs,
  };
});

function figureOf(second: Second | undefined): SecondFigure {
  const { due, completed, refused, left, times } = second ?? { due: 0, completed: 0, refused: 0, left: 0 };
  const ms = (percent: number): number => (times?.percentile(percent) ?? 0) / 1000;
  return { due, completed, refused, left, p50Ms: ms(50), p99Ms: ms(99) };
}
