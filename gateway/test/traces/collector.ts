import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { bytesIn, fieldsOf } from './protobuf.ts';

/** A span as it was sent; ids in hexadecimal, `parent` empty for the first one of a trace. */
export type SentSpan = {
  trace: string;
  id: string;
  parent: string;
  name: string;
  /** Of the process: what its resource says. */
  process: Record<string, string>;
  facts: Record<string, string>;
};

/** Takes traces by OTLP over HTTP, as protobuf. */
export type Collector = {
  url: string;
  spans(): SentSpan[];
  /** The first span that fits, once it is there. */
  next(what: string, fits: (span: SentSpan) => boolean): Promise<SentSpan>;
  /** Every byte that was sent. */
  bytes(): Buffer;
  headers(): IncomingHttpHeaders[];
  close(): Promise<void>;
};

/** Opens a collector on a free port. It answers what `answer` says of the number of the call, 200 by default. */
export async function openCollector(
  answer: (call: number) => number | 'never' = () => 200,
): Promise<Collector> {
  const taken: Buffer[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const status = answer(bodies.push(body));
    headers.push(request.headers);
    if (status === 'never') return;
    if (status === 200 && request.url === '/v1/traces') taken.push(body);
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
    for (const look of waiting) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spans = () => taken.flatMap(spansOf);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    next: (what, fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`There is no ${what} among ${spans().map(({ name }) => name)}`));
        }, 60_000);
        function look(): void {
          const found = spans().find(fits);
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        }
        waiting.add(look);
        look();
      }),
    bytes: () => Buffer.concat(bodies),
    headers: () => headers,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The spans of an ExportTraceServiceRequest. */
function spansOf(request: Buffer): SentSpan[] {
  return bytesIn(request, 1).flatMap((ofResource) => {
    const process = factsIn(bytesIn(ofResource, 1)[0] ?? Buffer.alloc(0), 1);
    return bytesIn(ofResource, 2)
      .flatMap((ofScope) => bytesIn(ofScope, 2))
      .map((span) => {
        const text = (number: number, encoding: BufferEncoding) =>
          bytesIn(span, number)[0]?.toString(encoding) ?? '';
        return {
          ...{ trace: text(1, 'hex'), id: text(2, 'hex'), parent: text(4, 'hex') },
          ...{ name: text(5, 'utf8'), process, facts: factsIn(span, 9) },
        };
      });
  });
}

/** The attributes in this field, their values as text. */
function factsIn(message: Buffer, number: number): Record<string, string> {
  const entries = bytesIn(message, number).map((attribute) => {
    const [key = Buffer.alloc(0)] = bytesIn(attribute, 1);
    const [value = Buffer.alloc(0)] = bytesIn(attribute, 2);
    return [key.toString('utf8'), `${fieldsOf(value)[0]?.value ?? ''}`];
  });
  return Object.fromEntries(entries);
}
