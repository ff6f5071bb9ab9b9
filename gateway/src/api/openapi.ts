import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ErrorRow } from '../kit/errors.ts';

const description = (errors: readonly ErrorRow[]): string => `
Florin takes payments in PI, USDC, USDT and CSK.

Every answer is \`{"message", "data"}\`; a refusal adds \`code\`, \`error\` and \`request_id\`, and \`details\`
when several fields are wrong. Amounts of create, info and fund-user are JSON numbers, all others decimal
strings. A keyed write takes an \`Idempotency-Key\`: the same key with the same body has one effect.

## Errors

| status | error and code | message |
|---|---|---|
${errors.map((row) => `| ${row.status} | \`${row.slug}\` ${row.code} | ${row.message}${row.retryable ? ' (may succeed later)' : ''} |`).join('\n')}
`;

/** The OpenAPI document, made from the schemas of the routes. Registered before the routes. */
export async function describeApi(
  app: FastifyInstance,
  baseUrl: string,
  errors: readonly ErrorRow[],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Florin', version: '0.1.0', description: description(errors) },
      servers: [{ url: baseUrl }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    },
  });
}

/** `GET /openapi.json`, and a page to read it at `/reference`. */
export function apiReference(app: FastifyInstance): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(app.swagger())),
  );
  // The reader takes 20 MB of memory, so it is loaded at the first request for it.
  let reader: Promise<FastifyInstance> | undefined;
  for (const url of ['/reference', '/reference/*']) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      reader ??= loadReader();
      const page = await (await reader).inject({ method: 'GET', url: request.url });
      return reply.code(page.statusCode).headers(page.headers).send(page.rawPayload);
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
