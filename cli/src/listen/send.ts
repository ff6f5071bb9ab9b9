import http from 'node:http';
import https from 'node:https';

/** The answer of a local server to an event: its status, or why there was none. */
export type Outcome = { status_code: number | null; duration_ms: number; error: string | null };

/** Long, because developers may step through their handler with a debugger. */
const patienceMs = 30_000;

const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** The target of events: an address, or the short form of one on this machine (`localhost:3000/hook`, `:3000`, `3000`). */
export function readTarget(text: string): URL {
  const host = /^:?\d+(?:\/|$)/.test(text) ? `localhost:${text.replace(/^:/, '')}` : text;
  const address = /^https?:\/\//i.test(host) ? host : `http://${host}`;
  const url = URL.parse(address);
  // `ftp://host` would be read as the host `ftp` with an empty port.
  const isPortEmpty = /^https?:\/\/[^/?#]*:(?:[/?#]|$)/i.test(address);
  if (url === null || isPortEmpty || !hostForm.test(url.hostname))
    throw new Error(`${text} is not an address to forward to, such as localhost:3000/hook`);
  return url;
}

/** Sends a body once. Redirects are not followed. Rejects only when `signal` aborts it. */
export function send(
  target: URL,
  headers: Record<string, string>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Outcome> {
  const started = performance.now();
  const outcome = (status_code: number | null, error: string | null): Outcome => ({
    status_code,
    duration_ms: Math.round(performance.now() - started),
    error,
  });
  return new Promise((resolve, reject) => {
    const { request } = target.protocol === 'https:' ? https : http;
    const timeout = AbortSignal.timeout(patienceMs);
    const fail = (error: NodeJS.ErrnoException): void => {
      if (signal.aborted) reject(signal.reason);
      else
        resolve(outcome(null, timeout.aborted ? `no answer within ${patienceMs / 1000} s` : reasonOf(error)));
    };
    const sent = request(target, { method: 'POST', headers, signal: AbortSignal.any([signal, timeout]) });
    sent.on('error', fail);
    sent.on('response', (response) => {
      response.on('error', fail);
      response.on('end', () => resolve(outcome(response.statusCode!, null)));
      response.resume();
    });
    sent.end(body);
  });
}

/** The error when no program accepts the connection. */
export const refused = 'refused: is your server running?';

function reasonOf(error: NodeJS.ErrnoException): string {
  // Both addresses of localhost were tried.
  if (error.code === 'ECONNREFUSED') return refused;
  if (error.code === 'ECONNRESET') return 'the server closed the connection without an answer';
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'no such host';
  return error.message || error.code || 'not sent';
}
