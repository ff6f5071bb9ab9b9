import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Change, recordChange } from '../../identity/audit/audit-log.ts';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { keyActor } from '../../identity/keys/key-actor.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, Refusal } from '../../kit/errors.ts';
import { randomBase62 } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { uriOf } from '../../kit/web-address.ts';
import {
  deliveryResent,
  endpointChanged,
  endpointMade,
  endpointRemoved,
} from '../../webhooks/api/changes.ts';
import { resendDelivery } from '../../webhooks/deliveries/delivery-detail.ts';
import {
  attemptNamed,
  findAttempt,
  type InvoiceAttempt,
  latestAttempts,
  nextAttemptId,
} from '../../webhooks/deliveries/invoice-deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
} from '../../webhooks/endpoints/endpoints.ts';
import { setGreenfield } from '../../webhooks/endpoints/greenfield.ts';
import { headersAt } from '../../webhooks/endpoints/headers.ts';
import { assertTarget, type ReachTerms, reachOf } from '../../webhooks/endpoints/reach.ts';
import { invoiceEventTypes } from '../../webhooks/events/event-types.ts';
import { changeEndpoint } from '../../webhooks/replay/replay.ts';
import { call } from '../protocol/door.ts';
import { objectOf } from '../protocol/objects.ts';
import { problem } from '../protocol/problems.ts';
import { readHook } from './read-hook.ts';

export type HookRouteDeps = ReachTerms & {
  db: Database;
  seal: Seal;
  hints: Hints;
  now: Clock;
};

type Params = { storeId: string; webhookId: string; deliveryId: string };

const terms = call('btcpay.store.webhooks.canmodifywebhooks');
const hooks = '/stores/:storeId/webhooks';
const secretLength = 32;

/** Webhooks of a store: endpoints of the format `greenfield`, sent by the engine of all endpoints (contract.md#btcpay). */
export function hookRoutes(door: FastifyInstance, deps: HookRouteDeps): void {
  const { db } = deps;
  door.get(hooks, terms, async (request) => {
    const all = await listEndpoints(db, ownerOf(apiKeyOf(request)));
    return all.filter(({ format }) => format === 'greenfield').map(hookView);
  });
  door.get(`${hooks}/:webhookId`, terms, async (request) => hookView(await ownHook(db, request)));
  changeRoutes(door, deps);
  deliveryRoutes(door, deps);
}

/** One write with its entry in the audit log. */
async function written<T>(
  { db, now }: HookRouteDeps,
  request: FastifyRequest,
  work: (tx: Tx) => Promise<{ data: T; change: Change }>,
): Promise<T> {
  return await transaction(db, async (tx) => {
    const { data, change } = await work(tx);
    const { integration } = apiKeyOf(request);
    const actor = await keyActor(tx, request);
    await recordChange(tx, actor, { integrationId: integration.id, ...change }, now());
    return data;
  });
}

function changeRoutes(door: FastifyInstance, deps: HookRouteDeps): void {
  const { hints, seal, now } = deps;

  door.post(hooks, terms, (request) =>
    written(deps, request, async (tx) => {
      const { url, events, isEnabled, retries, secret = null } = readHook(objectOf(request.body, ''));
      const { integration, mode } = apiKeyOf(request);
      assertTarget(url, mode, reachOf(deps, { integration, mode }));
      const owner = ownerOf(apiKeyOf(request));
      const own = secret ?? randomBase62(secretLength);
      const made = { ...owner, url, events, secret: own, format: 'greenfield', now: now() } as const;
      const { id } = await createEndpoint(tx, seal, made);
      await setGreenfield(tx, deps, id, { retries, secret: null, now: now() });
      if (!isEnabled) await changeEndpoint(tx, hints, id, { status: 'paused', now: now() });
      const endpoint = await findEndpoint(tx, owner, id);
      return { data: { ...hookView(endpoint), secret: own }, change: endpointMade(endpoint, owner) };
    }),
  );

  door.put(`${hooks}/:webhookId`, terms, (request) =>
    written(deps, request, async (tx) => {
      const before = await ownHook(tx, request);
      const { url, events, isEnabled, retries, secret } = readHook(objectOf(request.body, ''));
      const { integration, mode } = apiKeyOf(request);
      assertTarget(url, mode, reachOf(deps, { integration, mode }));
      const isMoved = url !== uriOf(before.url);
      // A webhook that Florin has disabled is on again where the shop says so.
      const status = isEnabled === (before.status === 'active') ? undefined : isEnabled ? 'active' : 'paused';
      const headers = headersAt(before.url, url, before.headers, null);
      const change = { ...(isMoved && { url }), events, status, headers, now: now() } as const;
      await changeEndpoint(tx, hints, before.id, change);
      await setGreenfield(tx, deps, before.id, { retries, secret, now: now() });
      const after = await ownHook(tx, request);
      return { data: hookView(after), change: endpointChanged(before, after) };
    }),
  );

  door.delete(`${hooks}/:webhookId`, terms, async (request, reply) => {
    await written(deps, request, async (tx) => {
      const found = await ownHook(tx, request);
      await deleteEndpoint(tx, hints, found.id, now());
      return { data: null, change: endpointRemoved(found) };
    });
    return reply.code(200).send();
  });
}

/** The attempts at a webhook, each of which that API calls a delivery. */
function deliveryRoutes(door: FastifyInstance, deps: HookRouteDeps): void {
  const { db, hints } = deps;
  const list = `${hooks}/:webhookId/deliveries`;
  door.get<{ Querystring: { count?: string } }>(list, terms, async (request) => {
    const { id } = await ownHook(db, request);
    return (await latestAttempts(db, id, countOf(request.query.count))).map(attemptView);
  });

  const found = async (request: FastifyRequest) => {
    const { id } = await ownHook(db, request);
    const named = attemptNamed((request.params as Params).deliveryId);
    const attempt = named && (await findAttempt(db, id, named));
    if (!attempt) throw noDelivery();
    return attempt;
  };
  door.get(`${list}/:deliveryId`, terms, async (request) => attemptView(await found(request)));
  door.get(`${list}/:deliveryId/request`, terms, async (request, reply) =>
    reply.type('application/json; charset=utf-8').send((await found(request)).body),
  );

  door.post(`${list}/:deliveryId/redeliver`, terms, async (request, reply) => {
    const next = await written(deps, request, async (tx) => {
      const { id: endpoint } = await ownHook(tx, request);
      const named = attemptNamed((request.params as Params).deliveryId);
      const id = named && (await nextAttemptId(tx, endpoint, named.id));
      if (!named || id === null) throw noDelivery();
      const owner = ownerOf(apiKeyOf(request));
      if (!(await resendDelivery(tx, hints, owner, { endpoint, delivery: named.id })))
        throw problem(409, 'webhook-disabled', 'The webhook is disabled: enable it first');
      const change = deliveryResent({ id: named.id, event_id: named.id, endpoint_id: endpoint });
      return { data: id, change };
    });
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(next));
  });
}

const noDelivery = () => problem(404, 'webhookdelivery-not-found', 'The delivery was not found');

const defaultCount = 10;
const mostCount = 200;

function countOf(value: string | undefined): number {
  if (value === undefined || !/^\d{1,6}$/.test(value)) return defaultCount;
  return Math.min(Math.max(Number.parseInt(value, 10), 1), mostCount);
}

async function ownHook(reader: Reader, request: FastifyRequest): Promise<Endpoint> {
  const missing = () => problem(404, 'webhook-not-found', 'The webhook was not found');
  const id = (request.params as Params).webhookId;
  const found = await findEndpoint(reader, ownerOf(apiKeyOf(request)), id).catch((error: unknown) => {
    if (error instanceof Refusal && error.row === kitErrors.not_found) throw missing();
    throw error;
  });
  if (found.format !== 'greenfield') throw missing();
  return found;
}

function hookView({ id, url, status, retries, events }: Endpoint) {
  const everything = invoiceEventTypes.every((type) => events.includes(type));
  return {
    id,
    enabled: status === 'active',
    automaticRedelivery: retries,
    url: uriOf(url),
    authorizedEvents: { everything, specificEvents: everything ? [] : events },
  };
}

function attemptView({ id, at, statusCode, error }: InvoiceAttempt) {
  const status = error === null ? 'HttpSuccess' : statusCode === null ? 'Failed' : 'HttpError';
  return {
    ...{ id, timestamp: Math.floor(at.getTime() / 1000), httpCode: statusCode, errorMessage: error, status },
  };
}
