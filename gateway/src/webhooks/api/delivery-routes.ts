import type { Console, Written } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { DeliveryPage as DeliveryAttemptsPage, TestEventData } from '../answers/answers.ts';
import { DeliveryDetail, DeliveryPage, ResentDelivery, SentTest } from '../answers/console-answers.ts';
import { listDeliveries } from '../deliveries/deliveries.ts';
import { type DeliveryName, findDelivery, resendDelivery } from '../deliveries/delivery-detail.ts';
import { searchDeliveries } from '../deliveries/delivery-list.ts';
import { findEndpoint } from '../endpoints/endpoints.ts';
import { assertFlorins } from '../endpoints/events-of-format.ts';
import { assertTakesTests, sendTestEvent } from '../endpoints/test-event.ts';
import { webhookErrors } from '../errors.ts';
import { deliveryResent, testEventSent } from './changes.ts';
import { readDeliveriesQuery } from './console-schema.ts';
import { endpointTerms, type KeyCalls, type WebhookConsoleDeps } from './key-calls.ts';
import { defaultLimit, PageQuery, readPageQuery, readTestBody, TestBody } from './schema.ts';

const consoleLimit = 50;

/** What an endpoint was sent, and trying it out, by an API key. */
export function deliveryRoutes(calls: KeyCalls, deps: WebhookConsoleDeps): void {
  calls.get(
    '/webhook-endpoints/:id/deliveries',
    {
      ...endpointTerms,
      querystring: PageQuery,
      answer: DeliveryAttemptsPage,
      operationId: 'listDeliveries',
      sdk: 'webhookEndpoints.deliveries({id}, {query})',
      summary: "List an endpoint's deliveries and their attempts, newest first",
      description: 'Each attempt has its time, the status that came back and how long it took.',
    },
    async ({ owner, id, query }) => {
      const endpoint = await findEndpoint(deps.db, owner, id);
      const { limit = defaultLimit, ...page } = readPageQuery(query);
      return { message: 'Deliveries', data: await listDeliveries(deps.db, endpoint.id, { ...page, limit }) };
    },
  );

  calls.write(
    'POST',
    '/webhook-endpoints/:id/test',
    {
      ...endpointTerms,
      scope: 'test',
      body: TestBody,
      answer: TestEventData,
      operationId: 'testWebhookEndpoint',
      sdk: 'webhookEndpoints.test({id}, {body}, {key})',
      summary: 'Send a made-up event to an endpoint',
      description: 'In test mode only, and to an active endpoint; its payment_reference begins TEST_.',
    },
    (tx, { owner, id, body }) => sendTest(tx, deps, { owner, id, body }),
  );
}

/** In the dashboard: what endpoints were sent, why it failed, sending it again, and trying an endpoint out. */
export function deliveryConsoleRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const { db, hints } = deps;

  dashboard.getAged('mode', '/deliveries', { may: 'read', answer: DeliveryPage }, async (call) => {
    const { aged, owner, query } = call;
    const { limit = consoleLimit, cursor, since, until, ...filter } = readDeliveriesQuery(query);
    const times = {
      ...(since ? { since: new Date(since) } : {}),
      ...(until ? { until: new Date(until) } : {}),
    };
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const data = await searchDeliveries(aged, owner, { ...filter, ...times }, page);
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
    { may: 'resend webhooks', answer: ResentDelivery },
    async (tx, { owner, params }) => {
      const name = nameOf(params);
      const { id, event, endpoint } = await findDelivery(tx, owner, name);
      if (!(await resendDelivery(tx, hints, owner, name))) throw refuse(webhookErrors.endpoint_off);
      const change = deliveryResent({ id, event_id: event.id, endpoint_id: endpoint.id });
      return { message: 'Sent again', data: { id }, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/test',
    { may: 'manage webhooks', answer: SentTest },
    (tx, { owner, params, body }) => sendTest(tx, deps, { owner, id: params.endpoint, body }),
  );
}

async function sendTest(
  tx: Tx,
  { hints, now }: WebhookConsoleDeps,
  { owner, id, body }: { owner: Owner; id: string | undefined; body: unknown },
): Promise<Written<{ event_id: string }>> {
  if (owner.mode !== 'test') throw refuse(identityErrors.test_mode_only);
  const endpoint = await findEndpoint(tx, owner, id);
  assertTakesTests(endpoint);
  assertFlorins(endpoint, 'event_type');
  const { event_type = 'payment_completed' } = readTestBody(body);
  const to = { ...owner, endpointId: endpoint.id };
  const event_id = await sendTestEvent(tx, hints, to, { type: event_type, at: now() });
  const change = testEventSent(endpoint, event_type, event_id);
  return { message: 'Test event sent', data: { event_id }, change };
}

function nameOf({ endpoint, delivery }: Record<string, string>): DeliveryName {
  if (endpoint === undefined || delivery === undefined) throw refuse(kitErrors.not_found);
  return { endpoint, delivery };
}
