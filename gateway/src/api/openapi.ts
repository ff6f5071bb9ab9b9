import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Guards } from '../identity/keys/guards.ts';
import type { ErrorRow } from '../kit/errors.ts';
import type { OpenApi } from './document/document.ts';
import { finishDocument } from './document/finish.ts';

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
      info: {
        title: 'Florin',
        version: '0.1.0',
        description: description(errors),
        contact: { name: 'The documentation of this gateway', url: `${baseUrl}/docs/` },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    },
  });
}

/** Returns the document, which is the same once all routes are there. */
export function documentOf(app: FastifyInstance): () => OpenApi {
  let document: OpenApi | undefined;
  return () => {
    // A copy without what is no JSON.
    document ??= finishDocument(JSON.parse(JSON.stringify(app.swagger())) as OpenApi);
    return document;
  };
}

/** Serves it at `GET /openapi.json`. */
export function apiDocument(
  app: FastifyInstance,
  guards: Pick<Guards, 'anyone'>,
  document: () => OpenApi,
): void {
  let text: string | undefined;
  const options = { schema: { hide: true }, onRequest: guards.anyone };
  app.get('/openapi.json', options, async (_request, reply) => {
    text ??= JSON.stringify(document());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
