import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../suite/endings.ts';

export type Asked = { id: number; method: string; params: unknown[] };
/** What a server answers with: a value as JSON, or all of it; null: never. */
export type Answered = { status?: number; headers?: Record<string, string>; body: unknown } | null;

/** A real HTTP server that answers what `answer` says to the parsed body; it ends with the test file. */
export async function startRpcServer(
  answer: (body: Asked | Asked[], request: IncomingMessage) => Answered | Promise<Answered>,
): Promise<{ url: string; asked: (Asked | Asked[])[]; close(): void }> {
  const asked: (Asked | Asked[])[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[];
    asked.push(body);
    const answered = await answer(body, request);
    if (answered === null) return;
    const { status = 200, headers = {}, body: value } = answered;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  atFileEnd(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

/** Answers each call by its method; a call without an answer is an unknown method. */
export function byMethod(results: Record<string, unknown>) {
  const one = ({ id, method }: Asked) =>
    method in results
      ? { jsonrpc: '2.0', id, result: results[method] }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } };
  return (body: Asked | Asked[]): Answered => ({ body: Array.isArray(body) ? body.map(one) : one(body) });
}
