/** How a command is told to end. */
export type Ending = {
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal;
  /** The exit code that shells know for the signal that came; null: none has. */
  code(): number | null;
  /** Lets signals do what they did before. */
  forget(): void;
};

const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Ends a command's work by the first signal, so that it leaves nothing half done; a second ends the process at once. */
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
    forget: () => void process.off('SIGINT', end).off('SIGTERM', end),
  };
}
