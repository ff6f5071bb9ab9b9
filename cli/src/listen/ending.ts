const lookMs = 700;

/**
 * Aborted by the first SIGINT or SIGTERM; the second ends the process at once. npm and npx hand a SIGTERM
 * to their shell alone: what they started ends with its parent, or it would go on unseen and hold the state.
 */
export function endOfListening(env: NodeJS.ProcessEnv): AbortSignal {
  const ending = new AbortController();
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => {
      if (ending.signal.aborted) process.exit(code);
      ending.abort();
    });
  }
  if (env.npm_command !== undefined || env.npm_lifecycle_event !== undefined) endWithParent(ending);
  return ending.signal;
}

/** A process whose parent is gone is given another one. */
function endWithParent(ending: AbortController): void {
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) ending.abort();
  }, lookMs).unref();
}
