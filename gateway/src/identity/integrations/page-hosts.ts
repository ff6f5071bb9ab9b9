import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Reader } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { IntegrationId } from '../integration.ts';
import { payUrlOf } from './page-domain.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is one of a payment's page: it is answered on domains of merchants too, and no other route is. */
    onPageDomains?: boolean;
  }
}

/** The domain of a merchant to which a request came: only the pages of this integration are there. */
type PageHost = { integrationId: IntegrationId; origin: string };

/** The proved domains of pages, as this process last read them: each request asks for its own. */
export type PageHosts = {
  /** Null: the request came by one of the installation's own names. */
  of(request: Pick<FastifyRequest, 'headers'>): PageHost | null;
  /** Whether the pages of an integration are at the name by which the request came. */
  shows(request: Pick<FastifyRequest, 'headers'>, integrationId: string | undefined): boolean;
  /** Whether pages are at that name, so that a proxy may get a certificate for it. */
  has(domain: string): boolean;
  /** Reads them anew: at start, every few seconds, and when another process hints. */
  refresh(): Promise<void>;
  /** Tells every process to read them anew. */
  changed(): void;
  /** Answers 404 on these domains to whatever is no page of a payment. Call it before routes are registered. */
  watch(server: FastifyInstance): void;
  stop(): void;
};

const topic = 'page domains';

export function followPageHosts(db: Reader, hints: Hints, payUrl: string): PageHosts {
  let known: ReadonlyMap<string, PageHost> = new Map();
  const refresh = async () => {
    known = await readHosts(db, payUrl);
  };
  const of: PageHosts['of'] = ({ headers }) =>
    known.size === 0 ? null : (known.get(nameOf(headers.host ?? '')) ?? null);
  return {
    of,
    shows: (request, integrationId) => (of(request)?.integrationId ?? integrationId) === integrationId,
    has: (domain) => known.has(nameOf(domain)),
    refresh,
    changed: () => hints.send(topic),
    watch(server) {
      server.addHook('onRequest', async (request, reply) => {
        if (of(request) === null) return undefined;
        // Other names below the merchant's may be served without https.
        if (reply.hasHeader('strict-transport-security'))
          void reply.header('strict-transport-security', 'max-age=31536000');
        if (request.routeOptions.config?.onPageDomains) return undefined;
        return reply.code(404).type('text/plain; charset=utf-8').send('There is nothing at this address.\n');
      });
    },
    // Without a database no page is shown either, and a loop reads again.
    stop: hints.on(topic, () => void refresh().catch(() => {})),
  };
}

async function readHosts(db: Reader, payUrl: string): Promise<Map<string, PageHost>> {
  const { rows } = await db.query<{ id: IntegrationId; domain: string }>(
    'SELECT id, page_domain AS domain FROM integrations WHERE page_domain_verified_at IS NOT NULL',
  );
  return new Map(
    rows.map(({ id, domain }) => [
      domain,
      { integrationId: id, origin: new URL(payUrlOf(payUrl, { pageDomain: domain })).origin },
    ]),
  );
}

/** The name in a Host header, as it is in DNS. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
}
