import type { FastifyInstance } from 'fastify';
import type { Reader } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { findLogo } from '../integrations/logo.ts';
import type { PageHosts } from '../integrations/page-hosts.ts';
import type { Guards } from '../keys/guards.ts';

type LogoParams = { integration: string; hash: string };

/** Logos for the hosted page. Browsers treat an uploaded file only as a picture. */
export function logoRoutes(
  app: FastifyInstance,
  { db, guards, hosts }: { db: Reader; guards: Guards; hosts: PageHosts },
): void {
  app.get<{ Params: LogoParams }>(
    '/logo/:integration/:hash',
    { onRequest: guards.anyone, schema: { hide: true }, config: { onPageDomains: true } },
    async (request, reply) => {
      const { integration, hash } = request.params;
      const isKnown = hosts.shows(request, integration) && isUuid(integration) && /^[0-9a-f]{32}$/.test(hash);
      const logo = isKnown ? await findLogo(db, integration, hash) : null;
      if (!logo) throw refuse(kitErrors.not_found);
      void reply.headers({
        'content-type': logo.contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      return reply.send(logo.bytes);
    },
  );
}
