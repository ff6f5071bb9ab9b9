// A merchant's webhook server on several origins: it answers 200 and counts.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './child.ts';

/** How an origin treats webhooks; `refuses`: nothing listens there. */
export type Manner = 'answers' | 'fails' | 'hangs' | 'refuses';

/**
 * Opens origins; or waits until a number of webhooks has arrived since the last reply; or notes from now on when each
 * event arrives, or waits until certain events have; or writes down each webhook from now on, or no longer.
 */
export type ReceiverRequest =
  | { origins: number; manner?: Manner }
  | { expect: number }
  | { note: true }
  | { arrivalsOf: string[] }
  /** A line each: the payment's reference, the event, and the second since 1970. */
  | { writeTo: string | null };
/** The addresses; or when the last webhook arrived, or each event, in nanoseconds of the system's monotonic clock. */
export type ReceiverReply = { urls: string[] } | { lastAt: string } | { arrivals: string[] };

let arrived = 0;
let expected = Number.POSITIVE_INFINITY;
let onExpected = (): void => {};
let noted: Map<string, bigint> | undefined;
let onNoted = (): void => {};
let file: WriteStream | undefined;

answer<ReceiverRequest, ReceiverReply>(async (request) => {
  if ('origins' in request) {
    const { origins, manner = 'answers' } = request;
    return { urls: await Promise.all(Array.from({ length: origins }, () => openOrigin(manner))) };
  }
  if ('note' in request) {
    noted = new Map();
    return { arrivals: [] };
  }
  if ('arrivalsOf' in request) return { arrivals: await arrivalsOf(request.arrivalsOf) };
  if ('writeTo' in request) {
    if (file) await once(file.end(), 'finish');
    file = request.writeTo === null ? undefined : createWriteStream(request.writeTo);
    return { arrivals: [] };
  }
  expected = request.expect;
  const lastAt = await new Promise<bigint>((resolve) => {
    onExpected = () => resolve(process.hrtime.bigint());
    if (arrived >= expected) onExpected();
  });
  arrived -= expected;
  expected = Number.POSITIVE_INFINITY;
  return { lastAt: `${lastAt}` };
});

async function arrivalsOf(events: string[]): Promise<string[]> {
  const arrivals = noted ?? new Map<string, bigint>();
  await new Promise<void>((resolve) => {
    onNoted = () => {
      if (events.every((event) => arrivals.has(event))) resolve();
    };
    onNoted();
  });
  noted = undefined;
  onNoted = () => {};
  return events.map((event) => `${arrivals.get(event)}`);
}

async function openOrigin(manner: Manner): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      if (file) body += chunk.toString('latin1');
    });
    request.once('end', () => {
      if (manner === 'hangs') return;
      response.writeHead(manner === 'fails' ? 500 : 200).end();
      if (noted && manner === 'answers') {
        noted.set(`${request.headers['x-event-id']}`, process.hrtime.bigint());
        onNoted();
        return;
      }
      if (file) {
        const reference = /"payment_reference":"([^"]+)"/.exec(body)?.[1] ?? body.slice(0, 100);
        file.write(`${reference}\t${request.headers['x-event-id']}\t${(Date.now() / 1000).toFixed(3)}\n`);
      }
      arrived += 1;
      if (arrived === expected) onExpected();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (manner === 'refuses') server.close();
  return `http://127.0.0.1:${port}/webhook`;
}
