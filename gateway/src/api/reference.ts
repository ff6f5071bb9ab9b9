import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Guards } from '../identity/keys/guards.ts';

/** In the page that the reader makes once; each answer has a nonce of its own in its place. */
const placeholder = 'nonce-of-this-answer';

/**
 * The page may run the reader's script and the one that starts it, and talk to this gateway alone. The reader makes styles
 * as it goes, which cannot be named before; no script can hide in them, and they can load nothing from elsewhere.
 */
const policyOf = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src 'self' data:; ` +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** A page to read `GET /openapi.json`, at `/reference`. */
export function apiReference(app: FastifyInstance, guards: Pick<Guards, 'anyone'>): void {
  // The reader takes 20 MB of memory, so it is loaded at the first request for it.
  let reader: Promise<FastifyInstance> | undefined;
  for (const url of ['/reference', '/reference/*']) {
    app.get(url, { schema: { hide: true }, onRequest: guards.anyone }, async (request, reply) => {
      reader ??= loadReader();
      const answer = await (await reader).inject({ method: 'GET', url: request.url });
      if (answer.statusCode >= 400) return reply.callNotFound();
      void reply.code(answer.statusCode).headers(answer.headers);
      if (!`${answer.headers['content-type']}`.startsWith('text/html')) return reply.send(answer.rawPayload);
      const nonce = randomBytes(16).toString('base64');
      const page = answer.payload.replaceAll(placeholder, nonce);
      return reply
        .headers({ 'content-security-policy': policyOf(nonce), 'content-length': Buffer.byteLength(page) })
        .send(page);
    });
  }
}

async function loadReader(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const reader = Fastify();
  await reader.register(reference, {
    routePrefix: '/reference',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Florin API',
      nonce: placeholder,
      // The reader loads nothing from other servers and sends nothing to them.
      telemetry: false,
      withDefaultFonts: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return reader;
}
