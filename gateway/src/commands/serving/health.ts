import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../config/config.ts';
import { settingReader } from '../../config/setting-reader.ts';

type Answer = { status: number; body: string };

const longestMs = 5_000;

/**
 * Asks the gateway with these settings on this machine whether it is ready, and prints what it says. Returns the exit
 * code: 0 ready, 1 not. A gateway with the role worker serves no API: there its metrics have to answer.
 */
export async function health(env: NodeJS.ProcessEnv): Promise<number> {
  const read = settingReader(env);
  const scheme = read.text('TLS_CERT') === '' ? 'http' : 'https';
  const api = `${scheme}://${reachable(read.listening('HOST'))}:${read.port('PORT')}`;
  const metrics = `http://${reachable(read.listening('METRICS_HOST'))}:${read.port('METRICS_PORT')}`;
  if (read.faults.length > 0) throw new ConfigError(read.faults);

  const ready = await ask(`${api}/ready`);
  if (ready?.status === 200) return say('The gateway is ready.', 0);
  if (ready) return say(`The gateway is not ready: ${waitingFor(ready)}.`, 1);
  if ((await ask(`${metrics}/metrics`))?.status === 200)
    return say('The gateway is ready; it serves no API and works for those that do.', 0);
  return say(`No gateway answers at ${api}.`, 1);
}

function say(line: string, code: number): number {
  process.stdout.write(`${line}\n`);
  return code;
}

/** Where a program that listens on this address is reached from its own machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function waitingFor({ status, body }: Answer): string {
  try {
    const { for: missing } = JSON.parse(body) as { for?: unknown };
    if (Array.isArray(missing)) return `it waits for ${missing.join(', ')}`;
  } catch {
    // Another program answers there.
  }
  return `it answers ${status}`;
}

/** What is answered there; null: nothing, or not within five seconds. */
async function ask(url: string): Promise<Answer | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  // The certificate is for the public name, and the connection does not leave the machine.
  const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(longestMs) };
  const get = url.startsWith('https:') ? getHttps : getHttp;
  get(url, options, (answer) => {
    text(answer).then(
      (body) => resolve({ status: answer.statusCode ?? 0, body }),
      () => resolve(null),
    );
  }).on('error', () => resolve(null));
  return await promise;
}
