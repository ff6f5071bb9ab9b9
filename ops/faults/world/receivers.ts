import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Ends } from '../../stories/tools.ts';
import type { WorldClock } from './clock.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { openRelay, type Relay } from './relay.ts';
import type { Arrival } from './world.ts';

/** The servers of all merchants for webhooks, at one address with a relay before it. */
export type Receivers = {
  relay: Relay;
  /** The address of a receiver, and what came there. */
  open(name: string): { url: string; arrivals: Arrival[] };
  /** What all answer from now on: each request is answered what this says. */
  answer(next: () => Arrival['answered']): void;
};

export async function openReceivers(clock: WorldClock, log: Log, ends: Ends): Promise<Receivers> {
  const all = new Map<string, Arrival[]>();
  let answer = (): Arrival['answered'] => 200;
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1);
    // A body that breaks off was never received.
    const raw = await buffer(request).catch(() => null);
    const arrivals = all.get(name);
    if (!raw || !arrivals) return void response.writeHead(404).end();
    const answered = answer();
    arrivals.push({ atMs: Date.now(), worldMs: clock.now(), raw, headers: request.headers, answered });
    log.note(name, `${request.headers['x-event-id']} was answered ${answered}: ${raw.toString('utf8')}`);
    if (answered !== 'none') response.writeHead(answered).end();
  });
  const relay = await openRelay(0, await listen(server, ends));
  ends.push(relay.close);
  return {
    relay,
    open(name) {
      const arrivals: Arrival[] = [];
      all.set(name, arrivals);
      return { url: `http://127.0.0.1:${relay.port}/${name}`, arrivals };
    },
    answer(next) {
      answer = next;
    },
  };
}
