import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { newId } from '../../kit/ids.ts';
import type { NoticeType } from '../events/event-types.ts';
import { insertEvents } from '../events/outbox.ts';

/** Writes an event for one endpoint of notices alone, in the transaction of what caused it. */
export async function writeNotice(
  tx: Tx,
  hints: Hints,
  { id: endpoint, integrationId, mode }: Owner & { id: string },
  { type, body, at }: { type: NoticeType; body: string; at: Date },
): Promise<void> {
  const id = newId<'event'>(at);
  const subject = { kind: 'endpoint', id: endpoint } as const;
  await insertEvents(tx, hints, [
    { id, integrationId, mode, type, at, sequence: 0, body, subject, onlyEndpointId: endpoint },
  ]);
}
