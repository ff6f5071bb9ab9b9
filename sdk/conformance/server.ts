import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Answer, misbehave } from '../typescript/test/server.ts';
import type { WantedRequest } from './cases.ts';

/** A request as it arrived, with its path and query read; `key` is its idempotency key. */
export type Received = Omit<WantedRequest, 'key'> & {
  key: string | null;
  authorization: string | undefined;
  accept: string | undefined;
  contentType: string | undefined;
};

/** A server that gives each address its own answers, in turn and the last one for ever. */
export async function serveCases() {
  const answers = new Map<string, readonly Answer[]>();
  const received = new Map<string, Received[]>();
  const server = createServer(async (request, response) => {
    const [, name = '', path = '', search = ''] = /^\/([^/]+)([^?]*)(.*)$/.exec(request.url ?? '') ?? [];
    const { headers, method = '' } = request;
    const text = (await buffer(request)).toString();
    const before = received.get(name) ?? [];
    received.set(name, [
      ...before,
      {
        method,
        path: decodeURIComponent(path),
        query: [...new URLSearchParams(search)].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
        key: headers['idempotency-key']?.toString() ?? null,
        body: text === '' ? null : JSON.parse(text),
        authorization: headers.authorization,
        accept: headers.accept,
        contentType: headers['content-type'],
      },
    ]);
    const all = answers.get(name) ?? [];
    const answer = all[Math.min(before.length, all.length - 1)];
    if (answer === undefined) return void response.writeHead(410).end();
    if (typeof answer === 'string') return misbehave(answer, response);
    // No client finds a connection that ended meanwhile.
    response.writeHead(answer.status ?? 200, {
      'Content-Type': 'application/json',
      Connection: 'close',
      ...answer.headers,
    });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** The base address for a case with these answers, and what arrives there. */
    open(name: string, given: readonly Answer[]): { baseUrl: string; received: () => Received[] } {
      answers.set(name, given);
      return { baseUrl: `http://127.0.0.1:${port}/${name}`, received: () => received.get(name) ?? [] };
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
