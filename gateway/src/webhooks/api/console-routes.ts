import { assertFresh, type Call, type Console } from '../../identity/console/console.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { uriOf } from '../../kit/web-address.ts';
import {
  EndpointPage,
  EndpointSettings,
  EndpointWithSecret,
  RevealedSecret,
} from '../answers/console-answers.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  endpointSecret,
  findEndpoint,
  listEndpoints,
} from '../endpoints/endpoints.ts';
import { assertOfFormat } from '../endpoints/events-of-format.ts';
import { headersAt, lostValues, mergeHeaders, openHeaders, sealHeaders } from '../endpoints/headers.ts';
import { healthOf } from '../endpoints/health.ts';
import { assertTarget, reachOf } from '../endpoints/reach.ts';
import { endOverlap, rollSecret } from '../endpoints/secrets.ts';
import { changeEndpoint } from '../replay/replay.ts';
import {
  endpointChanged,
  endpointMade,
  endpointRemoved,
  overlapEnded,
  secretRolled,
  secretShown,
} from './changes.ts';
import { chaosConsoleRoutes } from './chaos-routes.ts';
import { readEndpointBody, readStatusBody } from './console-schema.ts';
import { deliveryConsoleRoutes } from './delivery-routes.ts';
import { statusesOf } from './endpoint-status.ts';
import { eventConsoleRoutes } from './event-routes.ts';
import type { WebhookConsoleDeps } from './key-calls.ts';
import { replayConsoleRoutes } from './replay-routes.ts';
import { defaultOverlapSeconds, readRollBody } from './schema.ts';

const manage = { may: 'manage webhooks' } as const;

/** Webhook endpoints in the dashboard: their settings, their health, their secrets. */
export function webhookConsoleRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const { db, hints, now } = deps;
  const view = createView(deps);

  dashboard.get('mode', '/webhooks', { may: 'read', answer: EndpointPage }, async ({ owner }) => {
    const endpoints = await listEndpoints(db, owner);
    const ids = endpoints.map(({ id }) => id);
    const health = await healthOf(db, ids);
    const statuses = await statusesOf(db, endpoints);
    const items = endpoints.map((endpoint) => {
      const own = { status: statuses.get(endpoint.id), health: health.get(endpoint.id) };
      if (!own.status || !own.health) throw new Error(`Endpoint ${endpoint.id} was not looked up`);
      return { ...view(endpoint), ...own.status, health: own.health };
    });
    return { message: 'Webhook endpoints', data: { items, next_cursor: null } };
  });

  settingsRoutes(dashboard, deps);

  dashboard.write(
    'PATCH',
    'mode',
    '/webhooks/:endpoint',
    { ...manage, answer: EndpointSettings },
    async (tx, { owner, params, body }) => {
      const found = await findEndpoint(tx, owner, params.endpoint);
      const { status } = readStatusBody(body);
      const endpoint = await changeEndpoint(tx, hints, found.id, { status, now: now() });
      const change = found.status === status ? null : endpointChanged(found, endpoint);
      const message = status === 'active' ? 'Endpoint activated' : 'Endpoint paused';
      return { message, data: view(endpoint), change };
    },
  );

  dashboard.write(
    'DELETE',
    'mode',
    '/webhooks/:endpoint',
    { ...manage, answer: Nothing },
    async (tx, { owner, params }) => {
      const found = await findEndpoint(tx, owner, params.endpoint);
      await deleteEndpoint(tx, hints, found.id, now());
      return { message: 'Endpoint removed', data: null, change: endpointRemoved(found) };
    },
  );

  secretRoutes(dashboard, deps);
  chaosConsoleRoutes(dashboard, deps);
  deliveryConsoleRoutes(dashboard, deps);
  eventConsoleRoutes(dashboard, deps);
  replayConsoleRoutes(dashboard, deps);
}

function settingsRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const { hints, seal, now } = deps;
  const view = createView(deps);
  /** Whoever steals a session must not lead the events of real payments elsewhere. */
  const assertLiveFresh = (call: Call<'mode'>): void => {
    if (call.owner.mode === 'live') assertFresh(call, now());
  };

  dashboard.write(
    'POST',
    'mode',
    '/webhooks',
    { ...manage, secrets: true, answer: EndpointWithSecret },
    async (tx, call) => {
      const { owner } = call;
      const { headers: given = [], ...settings } = readEndpointBody(call.body);
      assertOfFormat({ format: 'florin' }, settings.events);
      assertReachable(deps, call, settings.url);
      assertLiveFresh(call);
      const headers = mergeHeaders(given, []);
      const endpoint = await createEndpoint(tx, seal, {
        ...owner,
        ...settings,
        headers,
        now: now(),
      });
      const data = { ...view(endpoint), secret: await endpointSecret(tx, seal, endpoint.id) };
      return { message: 'Endpoint added', data, change: endpointMade(endpoint, owner, headers) };
    },
  );

  dashboard.write(
    'PUT',
    'mode',
    '/webhooks/:endpoint',
    { ...manage, answer: EndpointSettings },
    async (tx, call) => {
      const found = await findEndpoint(tx, call.owner, call.params.endpoint);
      const { headers: given = [], description = '', url, events } = readEndpointBody(call.body);
      assertOfFormat(found, events);
      assertReachable(deps, call, url);
      if (url !== uriOf(found.url)) assertLiveFresh(call);
      const before = openHeaders(seal, found.id, found.headers);
      const known = headersAt(found.url, url, before, []);
      const lost = lostValues(given, before, known);
      const after = mergeHeaders(
        given.filter((header) => !lost.includes(header)),
        known,
      );
      const change = {
        // Undefined where it stays, since a given address ends the count of failing days.
        url: url === uriOf(found.url) ? undefined : url,
        events,
        description,
        headers: sealHeaders(seal, found.id, after),
      };
      const endpoint = await changeEndpoint(tx, hints, found.id, { ...change, now: now() });
      return {
        message:
          lost.length === 0
            ? 'Endpoint changed'
            : `Endpoint changed, without the values of ${lost.map(({ name }) => name).join(', ')}: the host is another`,
        data: view(endpoint),
        change: endpointChanged(found, endpoint, { before, after }),
      };
    },
  );
}

function secretRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const { hints, seal, now } = deps;
  const view = createView(deps);
  const terms = { ...manage, fresh: true, secrets: true };

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/reveal',
    { ...terms, answer: RevealedSecret },
    async (tx, { owner, params }) => {
      const endpoint = await findEndpoint(tx, owner, params.endpoint);
      const secret = await endpointSecret(tx, seal, endpoint.id);
      return { message: 'Secret', data: { id: endpoint.id, secret }, change: secretShown(endpoint) };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/roll',
    { ...terms, answer: EndpointWithSecret },
    async (tx, { owner, params, body }) => {
      const found = await findEndpoint(tx, owner, params.endpoint);
      const { overlap_seconds = defaultOverlapSeconds } = readRollBody(body);
      await rollSecret(tx, deps, found.id, { overlapSeconds: overlap_seconds, now: now() });
      const endpoint = await findEndpoint(tx, owner, found.id);
      const data = { ...view(endpoint), secret: await endpointSecret(tx, seal, endpoint.id) };
      return { message: 'Secret rolled', data, change: secretRolled(endpoint, overlap_seconds) };
    },
  );

  const endTerms = { ...manage, fresh: true };
  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/end-overlap',
    { ...endTerms, answer: EndpointSettings },
    async (tx, { owner, params }) => {
      const found = await findEndpoint(tx, owner, params.endpoint);
      const ended = await endOverlap(tx, hints, found.id, now());
      const data = view({ ...found, oldSecretUntil: null });
      return { message: 'The old secret signs no longer', data, change: overlapEnded(found, ended) };
    },
  );
}

function assertReachable(deps: WebhookConsoleDeps, { owner, integration }: Call<'mode'>, url: string): void {
  assertTarget(url, owner.mode, reachOf(deps, { integration, mode: owner.mode }));
}

/** An endpoint as the dashboard shows it: without its secret, and without the values of its headers. */
function createView({ seal }: WebhookConsoleDeps) {
  return (endpoint: Endpoint) => ({
    id: endpoint.id,
    url: uriOf(endpoint.url),
    description: endpoint.description,
    format: endpoint.format,
    events: endpoint.events,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    missing_since: endpoint.missingSince?.toISOString() ?? null,
    catching_up: endpoint.catchingUp,
    chaos: endpoint.chaos,
    verified_at: endpoint.verifiedAt?.toISOString() ?? null,
    old_secret_until: endpoint.oldSecretUntil?.toISOString() ?? null,
    headers: openHeaders(seal, endpoint.id, endpoint.headers).map(({ name }) => ({ name })),
    created_at: endpoint.createdAt.toISOString(),
  });
}
