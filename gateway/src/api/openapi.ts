import { type FastifyInstance, fastify } from 'fastify';
import { actionOfGuards, type Guards } from '../identity/keys/guards.ts';
import type { ErrorRow } from '../kit/errors.ts';
import { documentingOnly } from '../kit/http/http.ts';
import type { ApiDescription, ApiRoute, OpenApi } from './document/document.ts';
import { finishDocument } from './document/finish.ts';
import { takeNames } from './document/name-schemas.ts';

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

/**
 * Notes the calls that are registered from now on and are not hidden. Returns what their schemas say, gathered when it is
 * first asked for: the library that makes the document takes as long to load as a twentieth of a start.
 */
export function describeApi(
  app: FastifyInstance,
  baseUrl: string,
  errors: readonly ErrorRow[],
): () => Promise<ApiDescription> {
  const routes: ApiRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, onRequest }) => {
    if (method === 'HEAD' || !schema || schema.hide) return;
    const action = actionOfGuards(onRequest ?? []);
    routes.push({ method, url, schema: action ? { ...schema, 'x-key-action': action } : schema });
  });
  let described: Promise<ApiDescription> | undefined;
  return () => {
    described ??= gather(routes, baseUrl, errors);
    return described;
  };
}

async function gather(
  routes: readonly ApiRoute[],
  baseUrl: string,
  errors: readonly ErrorRow[],
): Promise<ApiDescription> {
  const { plain, types } = takeNames(routes);
  const { default: swagger } = await import('@fastify/swagger');
  // One that is never listened to: the routes of the gateway's own can no longer be added to the library.
  const app = fastify({ exposeHeadRoutes: false, pluginTimeout: 0, ...documentingOnly } as object);
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
  for (const route of plain) app.route({ ...route, handler: () => null });
  await app.ready();
  // A copy without what is no JSON.
  const made = JSON.parse(JSON.stringify(app.swagger())) as OpenApi;
  await app.close();
  const sdkCalls = routes.map(({ method, url, schema }) => [
    `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
    schema.sdk ?? '',
  ]);
  return { document: finishDocument(made, types), sdkCalls: Object.fromEntries(sdkCalls), types };
}

/** Serves it at `GET /openapi.json`. */
export function apiDocument(
  app: FastifyInstance,
  guards: Pick<Guards, 'anyone'>,
  describe: () => Promise<ApiDescription>,
): void {
  let text: string | undefined;
  const options = { schema: { hide: true }, onRequest: guards.anyone };
  app.get('/openapi.json', options, async (_request, reply) => {
    text ??= JSON.stringify((await describe()).document);
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
