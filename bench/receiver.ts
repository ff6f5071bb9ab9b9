// A merchant's server of webhooks, on as many origins as a row asks for: it answers 200 and counts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './child.ts';

/** Opens origins, or waits until so many webhooks have come since the last reply. */
export type ReceiverRequest = { origins: number } | { expect: number };
/** The addresses, or when the last of them came, in nanoseconds of the system's monotonic clock. */
export type ReceiverReply = { urls: string[] } | { lastAt: string };

let arrived = 0;
let expected = Number.POSITIVE_INFINITY;
let onExpected = (): void => {};

answer<ReceiverRequest, ReceiverReply>(async (request) => {
  if ('origins' in request) {
    return { urls: await Promise.all(Array.from({ length: request.origins }, openOrigin)) };
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

async function openOrigin(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      response.writeHead(200).end();
      arrived += 1;
      if (arrived === expected) onExpected();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
}
