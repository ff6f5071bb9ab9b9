import { randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorRow, kitErrors } from '../errors.ts';
import type { Admission } from './admission.ts';
import { type AnswerHeaders, asFile } from './answer-headers.ts';
import { createConnections } from './connections.ts';
import { type ServerTls, staple, strongTls } from './tls.ts';

/**
 * How long a request may take to arrive, how often those that take longer are looked for, and for how long a connection may
 * carry nothing while an answer is made or sent.
 */
export type Patience = { headersMs: number; requestMs: number; checkMs: number; silentMs: number };

export const patience: Patience = {
  headersMs: 8_000,
  requestMs: 30_000,
  checkMs: 1_000,
  silentMs: 300_000,
};

/** Those who watch the gateway are always answered. */
const watched = new Set(['/health', '/ready']);
/** How long a client that is cut off may still read its answer. */
const lingerMs = 1_000;

/** What fastify gives a factory of servers, as far as it matters here. */
type FactoryOptions = { https?: ServerTls; keepAliveTimeout: number };

export type HttpLayer = {
  serverFactory(handler: RequestListener, options: FactoryOptions): Server;
  /** Refuses every further request: the server ends. */
  close(): void;
};

/**
 * Makes servers that answer by themselves what does not reach a route: what is no request, what is too slow or too long,
 * and what cannot be taken now. To refuse that before anything else is done for it takes 32 us of CPU, behind routes 50.
 */
export function createHttpLayer(terms: {
  admission?: Admission | undefined;
  headers: AnswerHeaders;
  patience: Patience;
  /** How many connections one client may hold open; without it any number. */
  mostConnections?: number | undefined;
}): HttpLayer {
  const { admission, headers, mostConnections } = terms;
  const connections = mostConnections === undefined ? null : createConnections(mostConnections);
  /** Connections that are too many: they get one answer, which says so. */
  const crowded = new WeakSet<Duplex>();
  /** The newest answer of each connection. */
  const newest = new WeakMap<Duplex, ServerResponse>();
  /** Answers that must wait for an earlier one of their connection. */
  const queued = new WeakSet<ServerResponse>();
  const cutOff = new WeakSet<Duplex>();
  let isClosed = false;

  function refuse(response: ServerResponse, row: ErrorRow, more: Record<string, string>): void {
    const body = bodyOf(row);
    response.writeHead(row.status, { ...headers, ...asFile, ...contentOf(body), ...more }).end(body);
  }

  /** Ends a connection whose next bytes are no request, with an answer where one can be given. */
  function cut(socket: Duplex, row: ErrorRow): void {
    // What a client still sends while it is cut off is faulty again.
    if (cutOff.has(socket)) return;
    cutOff.add(socket);
    const answer = newest.get(socket);
    if (!socket.writable || (answer && !mayAnswer(answer))) {
      socket.destroy();
      return;
    }
    const body = bodyOf(row);
    const lines = Object.entries({ ...headers, ...asFile, ...contentOf(body), connection: 'close' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 ${row.status} ${STATUS_CODES[row.status]}\r\n${head}\r\n${body}`);
    // If it were closed at once while bytes of the client are unread, the client could lose the answer.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  /** Whether what is written now would be read as the answer to what is faulty. */
  function mayAnswer(answer: ServerResponse): boolean {
    return answer.writableFinished || !(answer.headersSent || answer.req.complete || queued.has(answer));
  }

  return {
    serverFactory(handler, { https, keepAliveTimeout }) {
      const listener: RequestListener = (request, response) => {
        const before = newest.get(request.socket);
        if (before && !before.writableFinished) queued.add(response);
        newest.set(request.socket, response);
        if (!hasOneHost(request)) return refuse(response, kitErrors.bad_request, { connection: 'close' });
        const again = { 'retry-after': '1' };
        if (crowded.has(request.socket))
          return refuse(response, kitErrors.rate_limited, { ...again, connection: 'close' });
        if (isClosed) return refuse(response, kitErrors.unavailable, { ...again, connection: 'close' });
        if (admission && !watched.has(request.url ?? '')) {
          const leave = admission.enter();
          if (!leave) return refuse(response, kitErrors.unavailable, again);
          response.on('close', leave);
        }
        handler(request, response);
      };
      const options = {
        headersTimeout: terms.patience.headersMs,
        requestTimeout: terms.patience.requestMs,
        connectionsCheckingInterval: terms.patience.checkMs,
        keepAliveTimeout,
        // The listener answers it, with the body that every refusal has.
        requireHostHeader: false,
      };
      const server = https
        ? createHttpsServer(
            { ...https, ...strongTls, ...options, handshakeTimeout: terms.patience.headersMs },
            listener,
          )
        : createHttpServer(options, listener);
      if (https?.ocsp) staple(server, https.ocsp);
      server.setTimeout(terms.patience.silentMs);
      if (connections) {
        // Before the requests of a connection are read. Under TLS nothing can be said before its handshake.
        server.prependListener('connection', (socket) => {
          const welcome = connections.enter(socket);
          if (welcome === 'refused' || (https && welcome === 'crowded')) socket.destroy();
          else if (welcome === 'crowded') crowded.add(socket);
        });
      }
      // An expectation that nobody knows may be ignored.
      server.on('checkExpectation', listener);
      server.on('connect', (_request, socket) => cut(socket, kitErrors.bad_request));
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        // A browser may open a connection that it then does not need; an answer there would be no answer to anything.
        const isUnused = socket instanceof Socket && socket.bytesRead === 0;
        if (error.code === 'ECONNRESET' || isUnused) socket.destroy();
        else cut(socket, faults[error.code ?? ''] ?? kitErrors.bad_request);
      });
      return server;
    },
    close() {
      isClosed = true;
    },
  };
}

const faults: Record<string, ErrorRow> = {
  ERR_HTTP_REQUEST_TIMEOUT: kitErrors.request_timeout,
  HPE_HEADER_OVERFLOW: kitErrors.headers_too_large,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: kitErrors.body_too_large,
};

/** Two parsers of a request with two hosts may each believe another one. HTTP/1.0 has none. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function bodyOf({ message, code, slug }: ErrorRow): string {
  return JSON.stringify({ message, data: null, code, error: slug, request_id: randomUUID() });
}

function contentOf(body: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
  };
}
