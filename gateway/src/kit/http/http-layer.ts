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
 * How long the headers and the whole request may take to arrive, how often that is checked, and for how long a connection
 * may be silent while an answer is made or sent.
 */
export type Patience = { headersMs: number; requestMs: number; checkMs: number; silentMs: number };

export const patience: Patience = {
  headersMs: 8_000,
  requestMs: 30_000,
  checkMs: 1_000,
  silentMs: 300_000,
};

/** These are answered however many requests there are. */
const watched = new Set(['/health', '/ready']);
/** How long a client may still read its answer after it was cut off. */
const lingerMs = 1_000;

/** The options that Fastify gives a factory of servers, as far as they are used here. */
type FactoryOptions = { https?: ServerTls; keepAliveTimeout: number };

export type HttpLayer = {
  serverFactory(handler: RequestListener, options: FactoryOptions): Server;
  /** Refuses every further request, because the server ends. */
  close(): void;
};

type LayerTerms = {
  admission?: Admission | undefined;
  headers: AnswerHeaders;
  patience: Patience;
  /** How many connections one client may hold open; without it any number. */
  mostConnections?: number | undefined;
};

/**
 * Makes servers that answer by themselves what does not reach a route: malformed requests, those that are too slow or too
 * long, and those that are too many now. Such a refusal takes 32 us of CPU here, and 50 behind the routes.
 */
export function createHttpLayer(terms: LayerTerms): HttpLayer {
  const { admission, headers, mostConnections } = terms;
  const connections = mostConnections === undefined ? null : createConnections(mostConnections);
  /** Connections that are too many: each gets one answer, which says so. */
  const crowded = new WeakSet<Duplex>();
  const answers = createAnswers(headers);
  let isClosed = false;

  function refuse(response: ServerResponse, row: ErrorRow, more: Record<string, string>): void {
    const body = bodyOf(row);
    response.writeHead(row.status, { ...headers, ...asFile, ...contentOf(body), ...more }).end(body);
  }

  function listenerFor(handler: RequestListener): RequestListener {
    return (request, response) => {
      answers.note(request, response);
      if (!hasOneHost(request)) return refuse(response, kitErrors.bad_request, { connection: 'close' });
      const later = { 'retry-after': '1' };
      if (crowded.has(request.socket))
        return refuse(response, kitErrors.rate_limited, { ...later, connection: 'close' });
      if (isClosed) return refuse(response, kitErrors.unavailable, { ...later, connection: 'close' });
      if (admission && !watched.has(request.url ?? '')) {
        const leave = admission.enter();
        if (!leave) return refuse(response, kitErrors.unavailable, later);
        response.on('close', leave);
      }
      handler(request, response);
    };
  }

  return {
    serverFactory(handler, options) {
      const { https } = options;
      const listener = listenerFor(handler);
      const server = newServer(listener, options, terms.patience);
      if (connections) {
        // Before the connection's requests are read. Under TLS no answer can be sent before its handshake.
        server.prependListener('connection', (socket) => {
          const welcome = connections.enter(socket);
          if (welcome === 'refused' || (https && welcome === 'crowded')) socket.destroy();
          else if (welcome === 'crowded') crowded.add(socket);
        });
      }
      // An unknown expectation may be ignored.
      server.on('checkExpectation', listener);
      server.on('connect', (_request, socket) => answers.cutOff(socket, kitErrors.bad_request));
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        // A browser may open a connection that it does not use: there is no request to answer.
        const isUnused = socket instanceof Socket && socket.bytesRead === 0;
        if (error.code === 'ECONNRESET' || isUnused) socket.destroy();
        else answers.cutOff(socket, faults[error.code ?? ''] ?? kitErrors.bad_request);
      });
      return server;
    },
    close() {
      isClosed = true;
    },
  };
}

function newServer(
  listener: RequestListener,
  { https, keepAliveTimeout }: FactoryOptions,
  { headersMs, requestMs, checkMs, silentMs }: Patience,
): Server {
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout,
    // The listener checks it, and answers with the body that every refusal has.
    requireHostHeader: false,
  };
  const server = https
    ? createHttpsServer({ ...https, ...strongTls, ...options, handshakeTimeout: headersMs }, listener)
    : createHttpServer(options, listener);
  if (https?.ocsp) staple(server, https.ocsp);
  server.setTimeout(silentMs);
  return server;
}

/** Follows the answers of each connection, to know whether one that sends no request can still be answered. */
function createAnswers(headers: AnswerHeaders) {
  const newest = new WeakMap<Duplex, ServerResponse>();
  /** Answers that must wait for an earlier one of their connection. */
  const queued = new WeakSet<ServerResponse>();
  const ending = new WeakSet<Duplex>();

  /** Whether the client would read an answer now as the answer to what is malformed. */
  function mayAnswer(answer: ServerResponse): boolean {
    return answer.writableFinished || !(answer.headersSent || answer.req.complete || queued.has(answer));
  }

  return {
    note({ socket }: IncomingMessage, response: ServerResponse): void {
      const before = newest.get(socket);
      if (before && !before.writableFinished) queued.add(response);
      newest.set(socket, response);
    },

    /** Ends a connection whose next bytes are no request, with an answer where one can be given. */
    cutOff(socket: Duplex, row: ErrorRow): void {
      // Bytes that the client still sends meanwhile are malformed again.
      if (ending.has(socket)) return;
      ending.add(socket);
      const answer = newest.get(socket);
      if (!socket.writable || (answer && !mayAnswer(answer))) {
        socket.destroy();
        return;
      }
      const body = bodyOf(row);
      const lines = Object.entries({ ...headers, ...asFile, ...contentOf(body), connection: 'close' });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`HTTP/1.1 ${row.status} ${STATUS_CODES[row.status]}\r\n${head}\r\n${body}`);
      // The client could lose the answer if the connection were closed while bytes of the client are unread.
      setTimeout(() => socket.destroy(), lingerMs).unref();
    },
  };
}

const faults: Record<string, ErrorRow> = {
  ERR_HTTP_REQUEST_TIMEOUT: kitErrors.request_timeout,
  HPE_HEADER_OVERFLOW: kitErrors.headers_too_large,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: kitErrors.body_too_large,
};

/** A request with two hosts is refused: a proxy and the gateway may each use another one. HTTP/1.0 needs none. */
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
