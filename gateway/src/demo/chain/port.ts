import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const host = '127.0.0.1';
const pollMs = 50;

/** Whether a port of this machine is free; 0 takes any. Resolves with the port, or null. */
async function tryPort(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : null;
  } catch {
    return null;
  } finally {
    server.close();
  }
}

/** `preferred` if it is free now, else any port that is. */
export async function anyPort(preferred: number): Promise<number> {
  const port = (await tryPort(preferred)) ?? (await tryPort(0));
  if (port === null) throw new Error('no port of this machine is free');
  return port;
}

/** What listens on a port, and the setting that names another one. */
export type PortUse = { name: string; setting: string };

/**
 * Waits until a port is free: a process of a gateway that was killed may hold it for a moment. Throws where it stays
 * taken.
 */
export async function untilFree(port: number, limitMs: number, { name, setting }: PortUse): Promise<void> {
  for (const began = performance.now(); (await tryPort(port)) === null; await sleep(pollMs)) {
    if (performance.now() - began < limitMs) continue;
    throw new Error(
      `port ${port} of ${name} is in use by another program. Stop that, or set ${setting} to another port.`,
    );
  }
}
