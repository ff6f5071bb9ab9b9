import type { Change } from '../../identity/audit/audit-log.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Chaos } from '../endpoints/chaos.ts';
import type { Endpoint } from '../endpoints/endpoints.ts';
import { endpointSubject } from '../endpoints/endpoints.ts';
import type { CustomHeader } from '../endpoints/headers.ts';
import type { Replay } from '../replay/replay.ts';

// The entries of the audit log on webhooks, for changes by people and by API keys.

function stateOf({ url, events, status, description }: Endpoint): object {
  return { url, events, status, ...(description === '' ? {} : { description }) };
}

export function endpointMade(
  endpoint: Endpoint,
  { mode }: Owner,
  headers: readonly CustomHeader[] = [],
): Change {
  return {
    action: 'added a webhook endpoint',
    subject: endpointSubject(endpoint.id),
    after: { mode, ...stateOf(endpoint), ...namesOf(headers) },
  };
}

/** `headers` as they were and are; left out where they cannot have changed. Their values stay out of the log. */
export function endpointChanged(
  before: Endpoint,
  after: Endpoint,
  headers?: { before: readonly CustomHeader[]; after: readonly CustomHeader[] },
): Change {
  return {
    action: 'changed a webhook endpoint',
    subject: endpointSubject(after.id),
    before: { ...stateOf(before), ...namesOf(headers?.before ?? []) },
    after: { ...stateOf(after), ...namesOf(headers?.after ?? []) },
  };
}

function namesOf(headers: readonly CustomHeader[]): object {
  return headers.length === 0 ? {} : { headers: headers.map(({ name }) => name) };
}

export function endpointRemoved(endpoint: Endpoint): Change {
  return {
    action: 'removed a webhook endpoint',
    subject: endpointSubject(endpoint.id),
    before: stateOf(endpoint),
  };
}

export function secretRolled(endpoint: Endpoint, overlapSeconds: number): Change {
  return {
    action: 'rolled a webhook secret',
    subject: endpointSubject(endpoint.id),
    after: { url: endpoint.url, overlap_seconds: overlapSeconds },
  };
}

/** null where none was being rolled. */
export function overlapEnded(endpoint: Endpoint, ended: number): Change | null {
  if (ended === 0) return null;
  return {
    action: 'ended the overlap of a webhook secret',
    subject: endpointSubject(endpoint.id),
    after: { url: endpoint.url, ended },
  };
}

export function secretShown(endpoint: Endpoint): Change {
  return {
    action: 'looked at a webhook secret',
    subject: endpointSubject(endpoint.id),
    after: { url: endpoint.url },
  };
}

export function testEventSent(endpoint: Endpoint, type: string, eventId: string): Change {
  return {
    action: 'sent a test event',
    subject: endpointSubject(endpoint.id),
    after: { event_type: type, event_id: eventId },
  };
}

export function chaosSet({ id, url, chaos }: Endpoint, after: Chaos | null): Change {
  return {
    action: after ? 'set chaos on a webhook endpoint' : 'ended chaos on a webhook endpoint',
    subject: endpointSubject(id),
    before: { url, chaos },
    after: { url, chaos: after },
  };
}

export function checkStarted(endpoint: Endpoint, id: string): Change {
  return {
    action: 'checked a webhook receiver',
    subject: endpointSubject(endpoint.id),
    after: { url: endpoint.url, check: id },
  };
}

export function webhooksReplayed(endpoint: Endpoint, { since, count, total }: Replay): Change {
  return {
    action: 'sent failed and missed webhooks again',
    subject: endpointSubject(endpoint.id),
    after: { since, count: total ?? count },
  };
}

export function eventResent(event: { event_id: string; payment_reference: string }, count: number): Change {
  return {
    action: 'sent an event again',
    subject: { kind: 'event', id: event.event_id },
    after: { payment_reference: event.payment_reference, endpoints: count },
  };
}

export function deliveryResent(delivery: { id: string; event_id: string; endpoint_id: string }): Change {
  return {
    action: 'sent a webhook again',
    subject: { kind: 'delivery', id: delivery.id },
    after: { event_id: delivery.event_id, endpoint_id: delivery.endpoint_id },
  };
}
