/** The signals that end a command. */
export type Ending = {
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal;
  /** The exit code that shells have for the received signal; null: none was received. */
  code(): number | null;
  /** Restores the default effect of signals. */
  restore(): void;
};

const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Aborts a command at the first signal, so that it can clean up; a second one ends the process at once. */
export function endBySignal(): Ending {
  const ending = new AbortController();
  let code: number | null = null;
  const end = (name: 'SIGINT' | 'SIGTERM'): void => {
    if (code !== null) process.exit(codes[name]);
    code = codes[name];
    ending.abort();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return {
    signal: ending.signal,
    code: () => code,
    restore: () => void process.off('SIGINT', end).off('SIGTERM', end),
  };
}
