import { outside } from '../trace.ts';

/** Work that runs on request: one run at a time, and one more run when it was requested during a run. */
export type Waker = {
  wake(): void;
  /** Starts no further run, and resolves when the current one has ended. */
  stop(): Promise<void>;
};

/** An error of `work` is given to `onError`; the work does not run again until the next request. */
export function createWaker(work: () => Promise<void>, onError: (error: unknown) => void): Waker {
  let asked = false;
  let awake = false;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    awake = true;
    while (asked && !stopped) {
      asked = false;
      await work().catch(onError);
    }
    awake = false;
  }

  return {
    wake() {
      asked = true;
      if (!awake && !stopped) running = outside(run);
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
