import { transaction } from '../../src/kit/db/db.ts';
import { type EndpointId, findEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { recordEvents } from '../../src/webhooks/events/outbox.ts';
import {
  changeEndpoint,
  countReplay,
  countUnsent,
  type ReplayRequest,
  startReplay,
} from '../../src/webhooks/replay/replay.ts';
import { eventOf, type Merchant, type World } from './fixtures.ts';

/** What tests of replays and activations do in a world. */
export function replaying(world: () => World) {
  const all: ReplayRequest = { since: null };

  async function replay(merchant: Merchant, id: EndpointId, wish: ReplayRequest = all) {
    const endpoint = await findEndpoint(world().db, { integrationId: merchant.id, mode: 'test' }, id);
    return await transaction(world().db, async (tx) => {
      const counted = await countReplay(tx, id, wish);
      return await startReplay(tx, world().hints, endpoint, { ...wish, counted });
    });
  }

  const turn = (id: EndpointId, status: 'active' | 'paused') =>
    transaction(world().db, (tx) => changeEndpoint(tx, world().hints, id, { status, now: new Date() }));

  const missed = async (id: EndpointId) =>
    (await countUnsent(world().db, [id], 'held', { most: 100 })).get(id) ?? 0;

  // A batch of a replay ends with a whole millisecond: of many events, ten happened in each of the last minute.
  let lastMs = Date.now() - 60_000;
  async function emitMany(merchant: Merchant, count: number): Promise<string[]> {
    const firstMs = lastMs + 1;
    const at = (index: number) => new Date(firstMs + Math.floor(index / 10));
    const events = Array.from({ length: count }, (_, index) => eventOf(merchant.id, { at: at(index) }));
    lastMs = at(count).getTime();
    return await transaction(world().db, (tx) => recordEvents(tx, world().hints, events));
  }

  /** The events that wait to be sent to an endpoint, in the order in which they become due. */
  async function queuedInOrder(id: EndpointId): Promise<string[]> {
    const { rows } = await world().db.query<{ event_id: string }>(
      `SELECT event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'pending' ORDER BY next_attempt_at`,
      [id],
    );
    return rows.map((row) => row.event_id);
  }

  async function statusOf(id: EndpointId, event: string | undefined): Promise<string | undefined> {
    const { rows } = await world().db.query<{ status: string }>(
      'SELECT status FROM deliveries WHERE endpoint_id = $1 AND event_id = $2',
      [id, event],
    );
    return rows[0]?.status;
  }

  return { replay, turn, missed, emitMany, queuedInOrder, statusOf };
}
