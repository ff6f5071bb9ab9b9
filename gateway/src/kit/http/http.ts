import { randomUUID } from 'node:crypto';
// Adds operationId, tags, summary and description to the schemas of routes.
import type {} from '@fastify/swagger';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import secureJsonParse from 'secure-json-parse';
import { asRefusal } from '../db/db.ts';
import { kitErrors, Refusal, refuse } from '../errors.ts';
import type { Admission } from './admission.ts';
import { answerHeaders, asFile } from './answer-headers.ts';
import { createHttpLayer, patience as ourPatience, type Patience } from './http-layer.ts';
import { type Answer, type IdempotencyKey, readIdempotencyKey } from './idempotency.ts';
import type { ServerTls } from './tls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they were sent, for fingerprints; absent where there was no body, or an empty one. */
    rawBody?: Buffer;
  }

  interface FastifySchema {
    /** The call of the SDK, for samples: `{key}` is the option with the Idempotency-Key, all others are parts of the request. */
    sdk?: string;
    /** Money leaves by this call, or changes hands. */
    'x-moves-money'?: boolean;
    /** What a key must be allowed to do for it. */
    'x-key-action'?: string;
  }
}

const bodyLimitBytes = 64 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type ServerOptions = {
  log: Logger;
  /** Take the client's address from X-Forwarded-For, which the proxy in front sets. */
  trustProxy: boolean;
  https?: ServerTls;
  /** People reach it by the https of a proxy in front. */
  overHttps?: boolean;
  /** Limits how many requests are handled at once; without it there is no limit. */
  admission?: Admission;
  /** How long a request may take to arrive. */
  patience?: Patience;
  /** How many connections one client may hold open; without it any number. Behind a proxy all connections are the proxy's. */
  mostConnections?: number | undefined;
};

/**
 * Routes validate with their own readers and write their own bodies; schemas only document them. Fastify's own compilers
 * would take several MB.
 */
export const documentingOnly = {
  schemaController: {
    compilersFactory: {
      buildValidator: () => () => () => true,
      buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
    },
  },
};

/** A server that reads JSON and answers `{message, data}` or a row of the error table (contract.md#answers). */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, trustProxy, https, overHttps = false, patience = ourPatience } = options;
  const headers = answerHeaders(overHttps || https !== undefined);
  const mostConnections = trustProxy ? undefined : options.mostConnections;
  const layer = createHttpLayer({ admission: options.admission, headers, patience, mostConnections });
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One hop: entries further left in X-Forwarded-For were sent by the client and may be false.
    trustProxy: trustProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
    // No hook runs for a request without a readable address.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendRefusal(request, reply.headers(headers), toRefusal(error, request)),
    ...documentingOnly,
    // A busy machine may need longer than the ten seconds of Fastify to load what routes import.
    pluginTimeout: 0,
    serverFactory: layer.serverFactory,
    // The HTTP layer answers malformed requests, on every address.
    clientErrorHandler: () => {},
    // Fastify has another type for HTTPS; the instance is used in the same way.
    ...(https ? { https } : {}),
  } as object) as unknown as FastifyInstance;

  // A connection that answers its last request while the server closes would be kept as long as any idle one.
  app.addHook('preClose', (done) => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50).unref();
    app.server.once('close', () => clearInterval(sweep));
    done();
  });
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isJson = `${reply.getHeader('content-type')}`.startsWith('application/json');
    // A download has a name of its own.
    if (isJson && !reply.hasHeader('content-disposition')) void reply.headers(asFile);
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Compressed bodies are refused: a few bytes can become many.
    if (isEncoded(request)) done(refusedEncoding());
    else done(null, payload);
  });
  app.addHook('preClose', async () => layer.close());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients send the type with every call (contract.md#answers).
    if (body.length === 0) return done(null, undefined);
    request.rawBody = body as Buffer;
    try {
      done(null, parseJson(body as Buffer));
    } catch {
      done(refuse(kitErrors.body_not_json));
    }
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    sendRefusal(request, reply, toRefusal(error, request));
  });
  app.setNotFoundHandler((request, reply) => {
    sendRefusal(request, reply, refuse(kitErrors.not_found));
  });
  return app;
}

/** A method and the address that it is registered for, with its parameters. */
export type KnownRoute = { method: string; url: string };

/** The routes that are registered from now on. */
export function noteRoutes(app: FastifyInstance): readonly KnownRoute[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((each) => ({ method: each, url })));
  });
  return routes;
}

/** Whether the body must be decoded before it can be read. GET and HEAD have none, and an unknown route reads none. */
function isEncoded({ method, headers, is404 }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || is404 || method === 'GET' || method === 'HEAD') return false;
  return encoding.toLowerCase() !== 'identity';
}

/** RFC 9110 15.5.16: the refusal says which encodings are read. */
function refusedEncoding(): Refusal {
  const row = kitErrors.content_encoding;
  return new Refusal(row, row.message, { headers: { 'accept-encoding': 'identity' } });
}

function parseJson(body: Buffer): unknown {
  // A key such as __proto__ is refused: no field has that name.
  return secureJsonParse.parse(utf8.decode(body), { protoAction: 'error', constructorAction: 'ignore' });
}

const transportFaults: Record<string, Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: refuse(kitErrors.body_too_large),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse(kitErrors.content_type),
  FST_ERR_MAX_PARAM_LENGTH: refuse(kitErrors.not_found),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refuse(kitErrors.body_not_json),
};

/** Any error of a request as the refusal that is answered; a fault of ours is logged. */
export function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  const known = asRefusal(error);
  if (known instanceof Refusal) {
    if (known.row === kitErrors.unavailable) request.log.warn({ err: error }, 'database unavailable');
    return known;
  }
  const { code, statusCode } = known as Partial<FastifyError>;
  const transport = code === undefined ? undefined : transportFaults[code];
  if (transport) return transport;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return refuse(kitErrors.bad_request);
  request.log.error({ err: error }, 'request failed');
  return refuse(kitErrors.internal);
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const { row, message, details, headers } = refusal;
  const body = { message, data: null, code: row.code, error: row.slug, request_id: request.id, details };
  void reply
    .headers(headers)
    .code(row.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** The text of a success envelope. */
export function envelope(message: string, data: unknown): string {
  return JSON.stringify({ message, data });
}

/** Answers a keyed write, and marks the stored body of an earlier request. */
export function sendAnswer(reply: FastifyReply, { body, replayed }: Answer, status = 200): FastifyReply {
  if (replayed) void reply.header('idempotent-replayed', 'true');
  return sendEnvelope(reply, body, status);
}

/** Answers with an envelope of success. */
export function sendEnvelope(reply: FastifyReply, body: string, status = 200): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

/** The request's Idempotency-Key within `scope`, or null. */
export function idempotencyKeyOf(request: FastifyRequest, scope: string): IdempotencyKey | null {
  return readIdempotencyKey(request.headers['idempotency-key'], scope, request.rawBody);
}

/** Refuses a request that another site made the browser send: its origin is foreign or cannot be read. */
export function refuseForeign(
  request: FastifyRequest,
  isOwn: (origin: string, port: number | undefined) => boolean,
): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw refuse(kitErrors.foreign_form);
  const { origin } = request.headers;
  if (origin === undefined || isOwn(origin, request.socket.localPort)) return;
  throw refuse(kitErrors.foreign_form);
}
