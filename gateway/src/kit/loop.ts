import type { Logger } from 'pino';
import type { LoopPlan } from './slice.ts';
import { type Scope, within } from './trace.ts';

/** Work that is done again and again until it is stopped. */
export type Loop = {
  /** Ends the loop after the current run. */
  stop(): Promise<void>;
  /** When the work last ended without an error, in milliseconds of the process's clock; null: not yet. */
  lastDoneMs(): number | null;
  /** The last error and when it happened, by the same clock; null: none yet, or the work has ended well since. */
  lastFault(): { atMs: number; message: string } | null;
  everyMs: number;
};

/** How soon it runs again after a fault; the pause doubles with each fault in a row. */
const againMs = 1_000;
/** So many faults that pass by themselves are no fault before the first run is done: on a busy machine the start is slow. */
const slowTries = 3;

/** Work with its name and its interval. `passes`: whether an error passes by itself, as of a database that is slow. */
export type LoopWork = Pick<LoopPlan, 'name' | 'everyMs' | 'work'> & { passes?: (error: unknown) => boolean };

/**
 * Runs `work` every `everyMs`, one run at a time. An error is logged and the work runs again soon, at the latest at its
 * next time: the gateway is not ready before each loop has run, and a database that is slow at the start must not delay it
 * by a whole interval.
 */
export function startLoop({ name, everyMs, work, passes = () => false }: LoopWork, log: Logger): Loop {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let lastDone: number | null = null;
  let lastFault: ReturnType<Loop['lastFault']> = null;
  let faults = 0;
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
      lastFault = null;
      faults = 0;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      lastFault = { atMs: performance.now(), message };
      faults += 1;
      if (lastDone === null && faults <= slowTries && passes(error)) {
        log.info({ loop: name, because: message }, 'the start is slow: a worker begins again');
      } else {
        log.error({ err: error, loop: name }, 'a worker failed and will try again');
      }
    }
    plan(faults === 0 ? everyMs : Math.min(everyMs, againMs * 2 ** Math.min(faults - 1, 10)));
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

/** `traces`: where the spans of their work begin; undefined: nothing is traced. */
export function createLoops(log: Logger, passes: (error: unknown) => boolean, traces?: Scope): Loops {
  const all = new Map<string, Loop>();
  const required = new Map<string, Loop>();
  return {
    all,
    required,
    start(plans) {
      for (const { isOptional, ...plan } of plans) {
        const { name } = plan;
        const work = traces ? () => within(traces, plan.work) : plan.work;
        const loop = startLoop({ ...plan, work, passes }, log);
        all.set(name, loop);
        if (!isOptional) required.set(name, loop);
      }
    },
    async stop() {
      await Promise.all([...all.values()].map((loop) => loop.stop()));
    },
  };
}
