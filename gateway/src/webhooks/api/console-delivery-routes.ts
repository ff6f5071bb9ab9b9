import type { Console } from '../../identity/console/console.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { type DeliveryName, findDelivery, resendDelivery } from '../deliveries/delivery-detail.ts';
import { searchDeliveries } from '../deliveries/delivery-list.ts';
import { webhookErrors } from '../errors.ts';
import { eventsOfPayment, findEvent, resendEvent } from '../events/events.ts';
import { deliveryResent, eventResent } from './changes.ts';
import {
  DeliveryDetail,
  DeliveryPage,
  PaymentEventPage,
  ResentDelivery,
  ResentEvent,
} from './console-answers.ts';
import { readDeliveriesQuery, readEventsQuery } from './console-schema.ts';
import type { WebhookConsoleDeps } from './own-write.ts';

const defaultLimit = 50;

const resend = { may: 'resend webhooks' } as const;

/** What endpoints were sent, why it failed, and sending it again. */
export function deliveryConsoleRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const { db, hints, now } = deps;

  dashboard.get('mode', '/deliveries', { may: 'read', answer: DeliveryPage }, async ({ owner, query }) => {
    const { limit = defaultLimit, cursor, since, until, ...filter } = readDeliveriesQuery(query);
    const times = {
      ...(since ? { since: new Date(since) } : {}),
      ...(until ? { until: new Date(until) } : {}),
    };
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const data = await searchDeliveries(db, owner, { ...filter, ...times }, page);
    return { message: 'Deliveries', data };
  });

  dashboard.get(
    'mode',
    '/webhooks/:endpoint/deliveries/:delivery',
    { may: 'read', answer: DeliveryDetail },
    async (call) => ({
      message: 'Delivery',
      data: await findDelivery(db, call.owner, nameOf(call.params)),
    }),
  );

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/deliveries/:delivery/resend',
    { ...resend, answer: ResentDelivery },
    async (tx, { owner, params }) => {
      const name = nameOf(params);
      const { id, event, endpoint } = await findDelivery(tx, owner, name);
      if (!(await resendDelivery(tx, hints, owner, name))) throw refuse(webhookErrors.endpoint_off);
      const change = deliveryResent({ id, event_id: event.id, endpoint_id: endpoint.id });
      return { message: 'Sent again', data: { id }, change };
    },
  );

  // The events of a payment, whether or not an endpoint subscribed to them.
  dashboard.get('mode', '/events', { may: 'read', answer: PaymentEventPage }, async ({ owner, query }) => ({
    message: 'Events',
    data: { items: await eventsOfPayment(db, owner, readEventsQuery(query).reference), next_cursor: null },
  }));

  dashboard.write(
    'POST',
    'mode',
    '/events/:event/resend',
    { ...resend, answer: ResentEvent },
    async (tx, { owner, params }) => {
      const event = await findEvent(tx, owner, params.event);
      const count = await resendEvent(tx, hints, event.event_id, now());
      const change = count === 0 ? null : eventResent(event, count);
      return { message: 'Sent again', data: { event_id: event.event_id, count }, change };
    },
  );
}

function nameOf({ endpoint, delivery }: Record<string, string>): DeliveryName {
  if (endpoint === undefined || delivery === undefined) throw refuse(kitErrors.not_found);
  return { endpoint, delivery };
}
