import { endBySignal } from '../../../gateway/src/commands/ending.ts';

const lookMs = 700;

/**
 * Aborted by the first SIGINT or SIGTERM; the second ends the process at once. npm and npx send a SIGTERM only to their
 * shell, so the process also ends with its parent. Otherwise it would continue in the background and hold the state.
 */
export function endOfListening(env: NodeJS.ProcessEnv): AbortSignal {
  const { signal } = endBySignal();
  const hasRunner = env.npm_command !== undefined || env.npm_lifecycle_event !== undefined;
  return hasRunner ? AbortSignal.any([signal, endOfParent()]) : signal;
}

/** A process whose parent has ended gets another parent. */
function endOfParent(): AbortSignal {
  const ending = new AbortController();
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) ending.abort();
  }, lookMs).unref();
  return ending.signal;
}
