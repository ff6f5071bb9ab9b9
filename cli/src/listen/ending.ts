import { endBySignal } from '../../../gateway/src/commands/ending.ts';

const lookMs = 700;

/**
 * Aborted by the first SIGINT or SIGTERM; the second ends the process at once. npm and npx hand a SIGTERM
 * to their shell alone: what they started ends with its parent, or it would go on unseen and hold the state.
 */
export function endOfListening(env: NodeJS.ProcessEnv): AbortSignal {
  const { signal } = endBySignal();
  const hasRunner = env.npm_command !== undefined || env.npm_lifecycle_event !== undefined;
  return hasRunner ? AbortSignal.any([signal, endOfParent()]) : signal;
}

/** A process whose parent is gone is given another one. */
function endOfParent(): AbortSignal {
  const ending = new AbortController();
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) ending.abort();
  }, lookMs).unref();
  return ending.signal;
}
