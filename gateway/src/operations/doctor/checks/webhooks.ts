import { lookup } from 'node:dns/promises';
import type { Mode } from '../../../identity/integration.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { addressKind } from '../../../kit/net/addresses.ts';
import type { Reach } from '../../../kit/net/safe-fetch.ts';
import { reachOf, reachTerms } from '../../../webhooks/endpoints/reach.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

type Target = { integration: string; host: string; reach: Reach };

const mostEndpoints = 500;
const mostHosts = 100;
const mostNamed = 20;

const endpointsSql = `
SELECT w.url, w.mode, i.name, i.allow_private_webhooks FROM webhook_endpoints w JOIN integrations i ON i.id = w.integration_id
WHERE w.deleted_at IS NULL AND w.channel = 'webhook' AND w.status = 'active' ORDER BY w.id DESC LIMIT $1`;

const failingSql = `
SELECT count(*)::int AS count FROM webhook_endpoints WHERE deleted_at IS NULL AND channel = 'webhook' AND mode = 'live'
  AND (status = 'disabled' OR status = 'active' AND failing_since < now() - interval '1 hour')`;

/** Endpoints of merchants that nothing is sent to: those in private networks, unknown names, and those that fail. */
export const checkWebhooks: Check = async ({ config, db, isMigrated }) => {
  if (!db || !(await isMigrated())) return [];
  const terms = reachTerms(config);
  const { rows } = await db.query<{
    url: string;
    mode: Mode;
    name: string;
    allow_private_webhooks: boolean;
  }>(endpointsSql, [mostEndpoints]);
  const targets = rows.map(({ url, mode, name, allow_private_webhooks }) => ({
    integration: name,
    host: new URL(url).hostname.replace(/^\[|\]$/g, ''),
    reach: reachOf(terms, { integration: { allowPrivateWebhooks: allow_private_webhooks }, mode }),
  }));
  const findings = [...(await judgeTargets(targets)), ...(await failing(db))];
  return findings.length > 0 ? findings : [found('webhooks', 'ok', `${rows.length} endpoints`)];
};

async function judgeTargets(targets: readonly Target[]): Promise<Finding[]> {
  const asked = [...new Set(targets.map(({ host }) => host))].slice(0, mostHosts);
  const known = new Map(
    await Promise.all(asked.map(async (host) => [host, await addressesOf(host)] as const)),
  );
  const named = (chosen: readonly Target[]) =>
    [...new Set(chosen.map(({ integration, host }) => `${integration}: ${host}`))]
      .slice(0, mostNamed)
      .join(', ');
  const unknown = named(targets.filter(({ host }) => known.get(host)?.length === 0));
  const refused = named(targets.filter(({ host, reach }) => isRefused(known.get(host) ?? [], reach)));
  return [
    ...(refused === '' ? [] : [found('webhooks', 'private', refused)]),
    ...(unknown === '' ? [] : [found('webhooks', 'unresolved', unknown)]),
  ];
}

/** Empty: the name is not known. */
async function addressesOf(host: string): Promise<string[]> {
  return await lookup(host, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  );
}

function isRefused(addresses: readonly string[], reach: Reach): boolean {
  return reach !== 'any' && addresses.map(addressKind).some((kind) => kind !== 'public' && kind !== reach);
}

async function failing(reader: Reader): Promise<Finding[]> {
  const { count } = oneRow(await reader.query<{ count: number }>(failingSql), 'endpoints that fail');
  return count === 0 ? [] : [found('webhooks', 'failing', `${count}`)];
}
