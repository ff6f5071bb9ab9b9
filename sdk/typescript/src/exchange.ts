import { FlorinError } from './errors.ts';

/** Options of every call: a signal that aborts it at once, also during a wait or an answer. */
export type CallOptions = { signal?: AbortSignal | undefined };

/** A complete answer. */
export type Answer = { response: Response; text: string };

/**
 * Sends one request and reads its whole answer, within `timeoutMs`.
 * @throws FlorinError `timeout` or `network_error`; the signal's own reason when it was aborted.
 */
export async function exchange(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: CallOptions & { timeoutMs: number },
): Promise<Answer> {
  signal?.throwIfAborted();
  // By hand: Node 18 has no AbortSignal.any.
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  try {
    const response = await send(url, { ...init, signal: stop.signal });
    return { response, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const { origin } = new URL(url);
    if (stop.signal.aborted)
      throw noAnswer('timeout', `No answer from ${origin} within ${timeoutMs} ms`, cause);
    throw noAnswer('network_error', `Could not reach ${origin}, or its answer broke off`, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** The error of a request whose effect is not known. */
export function noAnswer(slug: 'timeout' | 'network_error', message: string, cause: unknown): FlorinError {
  return new FlorinError(message, { status: 0, code: 0, slug, cause });
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
