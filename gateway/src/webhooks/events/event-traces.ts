import { nameOfOwned, type Owner } from '../../identity/owner.ts';
import { afterCommit, type Reader, type Tx } from '../../kit/db/db.ts';
import { firstIdAt } from '../../kit/ids.ts';
import { type Facts, scopeHere } from '../../kit/trace.ts';

/** An event that is about to be written, as far as its span says it. */
type TracedEvent = Owner & {
  id: string;
  type: string;
  subject: { kind: 'payment'; id: string; reference: string } | { kind: 'payout' | 'endpoint'; id: string };
};

/** Keeps the span of each event that is written in a traced transaction, for the attempts to deliver it. */
export async function keepTraces(tx: Tx, events: readonly TracedEvent[]): Promise<void> {
  if (!scopeHere()) return;
  const kept = events.flatMap((event) => {
    const { subject } = event;
    const name = subject.kind === 'payment' ? nameOfOwned(event, subject.reference) : undefined;
    const span = scopeHere(name)?.begin(`event ${event.type}`, factsOf(event), 'producer');
    // An event that is not committed is none, and its span is not sent.
    if (span) afterCommit(tx, () => span.end());
    return span?.parent ? [{ id: event.id, parent: span.parent }] : [];
  });
  if (kept.length === 0) return;
  await tx.query('INSERT INTO event_traces (event_id, parent) SELECT * FROM unnest($1::uuid[], $2::text[])', [
    kept.map(({ id }) => id),
    kept.map(({ parent }) => parent),
  ]);
}

const factOfSubject = {
  payment: 'florin.payment_id',
  payout: 'florin.payout_id',
  endpoint: 'florin.endpoint_id',
} as const;

function factsOf({ id, type, integrationId, mode, subject }: TracedEvent): Facts {
  return {
    'florin.event_id': id,
    'florin.event_type': type,
    'florin.integration_id': integrationId,
    'florin.mode': mode,
    [factOfSubject[subject.kind]]: subject.id,
  };
}

/** The spans of these events, as `traceparent` says them; of an event that was not traced there is none. */
export async function tracesOf(reader: Reader, eventIds: readonly string[]): Promise<Map<string, string>> {
  if (eventIds.length === 0) return new Map();
  const { rows } = await reader.query<{ event_id: string; parent: string }>(
    'SELECT event_id, parent FROM event_traces WHERE event_id = ANY ($1::uuid[])',
    [eventIds],
  );
  return new Map(rows.map(({ event_id, parent }) => [event_id, parent]));
}

/** Forgets the spans of events that were made before this moment. */
export async function forgetTraces(reader: Reader, before: Date): Promise<void> {
  await reader.query('DELETE FROM event_traces WHERE event_id < $1', [firstIdAt(before)]);
}
