/** Work that is done when somebody asks for it: once at a time, and once more when asked meanwhile. */
export type Waker = {
  wake(): void;
  /** Does nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
};

/** A fault of `work` goes to `onError`; the work is not repeated until it is asked for again. */
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
      if (!awake && !stopped) running = run();
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
