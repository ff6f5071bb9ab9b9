import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Span, type Traces, within } from '../trace.ts';

/** What watches a gateway asks these again and again. */
const unwatched = new Set(['/health', '/ready']);

/**
 * Begins a span for each request, below the one that its `traceparent` names. Handlers and the guards before them run in
 * its scope.
 */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request;
    const route = request.routeOptions.url ?? 'none';
    if (unwatched.has(route)) return done();
    const facts = { 'http.request.method': method, 'http.route': route };
    const span = traces.below(headers.traceparent).begin(`${method} ${route}`, facts, 'server');
    spans.set(request, span);
    // Also where the client goes away before it was answered.
    reply.raw.once('close', () => {
      span.note({ 'http.response.status_code': reply.statusCode });
      span.end(reply.statusCode >= 500 ? 'by a fault' : 'well');
    });
    within(span, done);
  });
  // What follows runs where the last bytes of the body came in, which is in no scope.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) within(span, done);
    else done();
  });
}
