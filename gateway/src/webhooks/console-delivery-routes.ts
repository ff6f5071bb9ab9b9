import type { Console } from '../identity/console.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { deliveryResent, eventResent, failuresReplayed } from './changes.ts';
import { readDeliveriesQuery, readEventsQuery, readReplayBody, readSinceQuery } from './console-schema.ts';
import { countFailed, replayFailed } from './deliveries.ts';
import { type DeliveryName, findDelivery, resendDelivery } from './delivery-detail.ts';
import { searchDeliveries } from './delivery-list.ts';
import { webhookErrors } from './errors.ts';
import { eventsOfPayment, findEvent, resendEvent } from './events.ts';
import type { WebhookConsoleDeps } from './own-write.ts';
import { findEndpoint } from './service.ts';

const defaultLimit = 50;
/** A replay is one statement, which must end well within its time. */
const maxReplay = 100_000;

const resend = { may: 'resend webhooks' } as const;

/** What endpoints were sent, why it failed, and sending it again. */
export function deliveryConsoleRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const { db, hints, now } = deps;

  dashboard.get('mode', '/deliveries', { may: 'read' }, async ({ owner, query }) => {
    const { limit = defaultLimit, cursor, since, until, ...filter } = readDeliveriesQuery(query);
    const times = {
      ...(since ? { since: new Date(since) } : {}),
      ...(until ? { until: new Date(until) } : {}),
    };
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const data = await searchDeliveries(db, owner, { ...filter, ...times }, page);
    return { message: 'Deliveries', data };
  });

  dashboard.get('mode', '/webhooks/:endpoint/deliveries/:delivery', { may: 'read' }, async (call) => ({
    message: 'Delivery',
    data: await findDelivery(db, call.owner, nameOf(call.params)),
  }));

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/deliveries/:delivery/resend',
    resend,
    async (tx, { owner, params }) => {
      const name = nameOf(params);
      const { id, event, endpoint } = await findDelivery(tx, owner, name);
      if (!(await resendDelivery(tx, hints, owner, name))) throw refuse(webhookErrors.endpoint_off);
      const change = deliveryResent({ id, event_id: event.id, endpoint_id: endpoint.id });
      return { message: 'Sent again', data: { id }, change };
    },
  );

  // What happened to a payment, whether or not an endpoint was to hear of it.
  dashboard.get('mode', '/events', { may: 'read' }, async ({ owner, query }) => ({
    message: 'Events',
    data: { items: await eventsOfPayment(db, owner, readEventsQuery(query).reference), next_cursor: null },
  }));

  dashboard.write('POST', 'mode', '/events/:event/resend', resend, async (tx, { owner, params }) => {
    const event = await findEvent(tx, owner, params.event!);
    const count = await resendEvent(tx, hints, event.event_id, now());
    const change = count === 0 ? null : eventResent(event, count);
    return { message: 'Sent again', data: { event_id: event.event_id, count }, change };
  });

  replayRoutes(dashboard, deps);
}

function replayRoutes(dashboard: Console, { db, hints }: WebhookConsoleDeps): void {
  dashboard.get('mode', '/webhooks/:endpoint/replay/preview', resend, async ({ owner, params, query }) => {
    const { id } = await findEndpoint(db, owner, params.endpoint!);
    const { since } = readSinceQuery(query);
    const count = await countFailed(db, id, new Date(since), maxReplay + 1);
    if (count > maxReplay) throw tooMany();
    return { message: 'Failed deliveries', data: { since, count } };
  });

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/replay',
    resend,
    async (tx, { owner, params, body }) => {
      const endpoint = await findEndpoint(tx, owner, params.endpoint!);
      const { since: text, expected } = readReplayBody(body);
      if (endpoint.status === 'disabled') throw refuse(webhookErrors.endpoint_off);
      if (expected > maxReplay) throw tooMany();
      const since = new Date(text);
      // Counted first: what the person agreed to bounds the work, and there may be millions by now.
      const found = await countFailed(tx, endpoint.id, since, expected + 1);
      const count = found === expected ? await replayFailed(tx, hints, endpoint.id, since) : found;
      if (count !== expected) throw refuse(webhookErrors.replay_count_changed);
      const change = count === 0 ? null : failuresReplayed(endpoint, since, count);
      return { message: 'Deliveries re-queued', data: { count }, change };
    },
  );
}

function tooMany() {
  return refuse(webhookErrors.replay_too_many, { max: '100,000' });
}

function nameOf({ endpoint, delivery }: Record<string, string>): DeliveryName {
  if (endpoint === undefined || delivery === undefined) throw refuse(kitErrors.not_found);
  return { endpoint, delivery };
}
