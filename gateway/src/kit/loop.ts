import type { Logger } from 'pino';
import type { LoopPlan } from './slice.ts';

/** Work that is done again and again until it is stopped. */
export type Loop = {
  /** Ends the loop after the current run. */
  stop(): Promise<void>;
  /** When the work last ended without an error, in milliseconds of the process's clock; null: not yet. */
  lastDoneMs(): number | null;
  /** The last error and when it happened, by the same clock; null: none yet. */
  lastFault(): { atMs: number; message: string } | null;
  everyMs: number;
};

/**
 * Runs `work` every `everyMs`, one run at a time. An error is logged and the work runs again at the next time, when
 * what it could not do is still due.
 */
export function startLoop(name: string, everyMs: number, log: Logger, work: () => Promise<unknown>): Loop {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let lastDone: number | null = null;
  let lastFault: ReturnType<Loop['lastFault']> = null;
  let underway: Promise<void> = Promise.resolve();

  function plan(delayMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      underway = run();
    }, delayMs);
  }
  async function run(): Promise<void> {
    try {
      await work();
      lastDone = performance.now();
    } catch (error) {
      lastFault = {
        atMs: performance.now(),
        message: error instanceof Error ? error.message : String(error),
      };
      log.error({ err: error, loop: name }, 'a worker failed and will try again');
    }
    plan(everyMs);
  }
  plan(0);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underway;
    },
    lastDoneMs: () => lastDone,
    lastFault: () => lastFault,
    everyMs,
  };
}

/** The background loops of a process by name. */
export type Loops = {
  all: ReadonlyMap<string, Loop>;
  /** Those that must have run before the gateway is ready. */
  required: ReadonlyMap<string, Loop>;
  start(plans: readonly LoopPlan[]): void;
  /** Ends all of them after their current runs. */
  stop(): Promise<void>;
};

export function createLoops(log: Logger): Loops {
  const all = new Map<string, Loop>();
  const required = new Map<string, Loop>();
  return {
    all,
    required,
    start(plans) {
      for (const { name, everyMs, work, isOptional } of plans) {
        const loop = startLoop(name, everyMs, log, work);
        all.set(name, loop);
        if (!isOptional) required.set(name, loop);
      }
    },
    async stop() {
      await Promise.all([...all.values()].map((loop) => loop.stop()));
    },
  };
}
