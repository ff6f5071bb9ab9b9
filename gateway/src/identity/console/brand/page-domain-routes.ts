import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../../kit/clock.ts';
import { afterCommit, type Database, type Reader, transaction } from '../../../kit/db/db.ts';
import { kitErrors, refuse } from '../../../kit/errors.ts';
import { type FieldParser, fieldReader, invalid } from '../../../kit/http/fields.ts';
import { envelope, sendEnvelope } from '../../../kit/http/http.ts';
import { identityErrors } from '../../errors.ts';
import type { IntegrationId } from '../../integration.ts';
import { domainOf } from '../../integrations/domain.ts';
import { pageDomainOf, setPageDomain, setPageDomainVerified } from '../../integrations/page-domain.ts';
import { type PageDomainCheck, targetOf } from '../../integrations/page-domain-check.ts';
import type { PageHosts } from '../../integrations/page-hosts.ts';
import type { Guards } from '../../keys/guards.ts';
import type { Console } from '../admission/terms.ts';
import { PageDomainAnswer } from '../answers/integrations.ts';

export type PageDomainDeps = {
  db: Database;
  guards: Guards;
  hosts: PageHosts;
  checkPageDomain: PageDomainCheck;
  baseUrl: string;
  payUrl: string;
  origins: readonly string[];
  now: Clock;
};

const may = { may: 'manage integrations', answer: PageDomainAnswer } as const;

/** The domain of their own at which merchants have the hosted page (contract.md#brand). */
export function pageDomainRoutes(dashboard: Console, deps: PageDomainDeps): void {
  const { db, guards, hosts, payUrl, now } = deps;
  const readDomain = domainReader(deps);
  const shown = (reader: Reader, id: IntegrationId) => answerOf(reader, id, payUrl);

  dashboard.get(
    'integration',
    '/page-domain',
    { may: 'read', answer: PageDomainAnswer },
    async ({ integration }) => ({
      message: 'Domain of the payment page',
      data: await shown(db, integration.id),
    }),
  );

  dashboard.write('PUT', 'integration', '/page-domain', may, async (tx, { integration, body }) => {
    const { id } = integration;
    const domain = readDomain(body).domain ?? null;
    await tx.query('SELECT FROM integrations WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const before = (await pageDomainOf(tx, id))?.domain ?? null;
    const isNew = domain !== before;
    if (isNew) {
      await setPageDomain(tx, id, domain);
      afterCommit(tx, hosts.changed);
    }
    const change = isNew && {
      ...{ action: 'changed the domain of the payment page', ...about(id) },
      ...{ before: { page_domain: before }, after: { page_domain: domain } },
    };
    const data = await shown(tx, id);
    return { message: 'Domain of the payment page saved', data, change: change || null };
  });

  dashboard.act('POST', 'integration', '/page-domain/verify', may, async (call, record) => {
    const { id } = call.integration;
    const found = await pageDomainOf(db, id);
    if (!found) throw invalid('domain', 'is not set yet');
    const { domain } = found;
    if (found.verifiedAt === null || found.lostAt !== null) {
      // Each attempt asks servers that may belong to somebody else.
      await guards.rare(call.request, `page domain of ${id}`);
      const why = await deps.checkPageDomain(domain, found.proof);
      if (why !== null) throw refuse(identityErrors.page_domain_not_verified, { domain, why });
      await transaction(db, async (tx) => {
        const outcome = await setPageDomainVerified(tx, id, found, now());
        if (outcome === 'taken') throw refuse(identityErrors.page_domain_taken, { domain });
        if (outcome === 'changed') return;
        const after = { page_domain: domain };
        await record(tx, { action: 'verified the domain of the payment page', ...about(id), after });
      });
      await hosts.refresh();
      hosts.changed();
    }
    return { message: 'Domain of the payment page verified', data: await shown(db, id) };
  });
}

/** Says whether a proxy may get a certificate for a name: `?domain=`, as Caddy asks it. */
export function certificateRoutes(
  app: FastifyInstance,
  { guards, hosts }: Pick<PageDomainDeps, 'guards' | 'hosts'>,
): void {
  app.get<{ Querystring: { domain?: unknown } }>(
    '/certificates/allowed',
    { onRequest: guards.anyone, schema: { hide: true } },
    async ({ query: { domain } }, reply) => {
      if (typeof domain !== 'string' || !hosts.has(domain)) throw refuse(kitErrors.not_found);
      return sendEnvelope(reply, envelope('Pages of payments are there', null));
    },
  );
}

function domainReader({ baseUrl, payUrl, origins }: PageDomainDeps) {
  const ours = new Set([baseUrl, payUrl, ...origins].map((address) => new URL(address).hostname));
  const parser: FieldParser<string | undefined> = (value) => {
    if (value === undefined) return undefined;
    const domain = typeof value === 'string' ? domainOf(value) : null;
    if (domain === null) return invalid('domain', 'must be the name of a domain, such as pay.shop.example');
    return ours.has(domain) ? invalid('domain', 'is an address of this installation') : domain;
  };
  return fieldReader(Type.Object({ domain: Type.Optional(Type.String()) }), {}, { domain: parser });
}

async function answerOf(reader: Reader, id: IntegrationId, payUrl: string) {
  const found = await pageDomainOf(reader, id);
  if (!found) return { domain: null, verified_at: null, lost_at: null, records: [] };
  const { domain, proof, verifiedAt, lostAt } = found;
  const target = targetOf(payUrl);
  return {
    domain,
    verified_at: verifiedAt,
    lost_at: lostAt,
    records: [
      { type: { 0: 'CNAME', 4: 'A', 6: 'AAAA' }[isIP(target)] ?? 'CNAME', name: domain, value: target },
      { type: 'TXT', name: `_florin.${domain}`, value: proof },
    ],
  };
}

function about(id: IntegrationId) {
  return { subject: { kind: 'integration', id }, integrationId: id };
}
