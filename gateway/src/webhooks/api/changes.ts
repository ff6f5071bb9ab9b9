import type { Change } from '../../identity/audit/audit-log.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Chaos } from '../answers/chaos-answers.ts';
import type { Replay } from '../answers/console-answers.ts';
import { type Endpoint, endpointSubject } from '../endpoints/endpoints.ts';
import type { CustomHeader } from '../endpoints/headers.ts';

// The entries of the audit log on webhooks, for changes by people and by API keys.

function stateOf({ url, events, status, description }: Endpoint): object {
  return { url, events, status, ...(description === '' ? {} : { description }) };
}

function ofEndpoint({ id }: Endpoint, action: string, states: Pick<Change, 'before' | 'after'>): Change {
  return { action, subject: endpointSubject(id), ...states };
}

function namesOf(headers: readonly CustomHeader[]): object {
  return headers.length === 0 ? {} : { headers: headers.map(({ name }) => name) };
}

export function endpointMade(
  endpoint: Endpoint,
  { mode }: Owner,
  headers: readonly CustomHeader[] = [],
): Change {
  const after = { mode, ...stateOf(endpoint), ...namesOf(headers) };
  return ofEndpoint(endpoint, 'added a webhook endpoint', { after });
}

/** `headers` as they were and are; left out where they cannot have changed. Their values stay out of the log. */
export function endpointChanged(
  before: Endpoint,
  after: Endpoint,
  headers?: { before: readonly CustomHeader[]; after: readonly CustomHeader[] },
): Change {
  return ofEndpoint(after, 'changed a webhook endpoint', {
    before: { ...stateOf(before), ...namesOf(headers?.before ?? []) },
    after: { ...stateOf(after), ...namesOf(headers?.after ?? []) },
  });
}

export function endpointRemoved(endpoint: Endpoint): Change {
  return ofEndpoint(endpoint, 'removed a webhook endpoint', { before: stateOf(endpoint) });
}

export function secretRolled(endpoint: Endpoint, overlapSeconds: number): Change {
  const after = { url: endpoint.url, overlap_seconds: overlapSeconds };
  return ofEndpoint(endpoint, 'rolled a webhook secret', { after });
}

/** null where none was being rolled. */
export function overlapEnded(endpoint: Endpoint, ended: number): Change | null {
  if (ended === 0) return null;
  const after = { url: endpoint.url, ended };
  return ofEndpoint(endpoint, 'ended the overlap of a webhook secret', { after });
}

export function secretShown(endpoint: Endpoint): Change {
  return ofEndpoint(endpoint, 'looked at a webhook secret', { after: { url: endpoint.url } });
}

export function testEventSent(endpoint: Endpoint, type: string, eventId: string): Change {
  const after = { event_type: type, event_id: eventId };
  return ofEndpoint(endpoint, 'sent a test event', { after });
}

export function chaosSet(endpoint: Endpoint, chaos: Chaos | null): Change {
  const { url } = endpoint;
  const action = chaos ? 'set chaos on a webhook endpoint' : 'ended chaos on a webhook endpoint';
  return ofEndpoint(endpoint, action, { before: { url, chaos: endpoint.chaos }, after: { url, chaos } });
}

export function checkStarted(endpoint: Endpoint, id: string): Change {
  return ofEndpoint(endpoint, 'checked a webhook receiver', { after: { url: endpoint.url, check: id } });
}

export function webhooksReplayed(endpoint: Endpoint, { since, count, total }: Replay): Change {
  const after = { since, count: total ?? count };
  return ofEndpoint(endpoint, 'sent failed and missed webhooks again', { after });
}

export function eventResent(event: { event_id: string; payment_reference: string }, count: number): Change {
  return {
    action: 'sent an event again',
    subject: { kind: 'event', id: event.event_id },
    after: { payment_reference: event.payment_reference, endpoints: count },
  };
}

export function eventsResent(
  { integrationId }: Pick<Owner, 'integrationId'>,
  references: readonly string[],
  count: number,
): Change {
  return {
    action: 'sent the newest events of payments again',
    subject: { kind: 'integration', id: integrationId },
    after: { payments: references.join(', '), deliveries: count },
  };
}

export function deliveryResent(delivery: { id: string; event_id: string; endpoint_id: string }): Change {
  return {
    action: 'sent a webhook again',
    subject: { kind: 'delivery', id: delivery.id },
    after: { event_id: delivery.event_id, endpoint_id: delivery.endpoint_id },
  };
}
