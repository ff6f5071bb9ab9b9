import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, eventOf, type World } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { updateEndpoint } from '../endpoints/endpoints.ts';
import { recordEvents } from '../events/outbox.ts';
import { settleActivated } from './replay-worker.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** An endpoint that was activated more than a minute ago, while `count` events were being written, and `minutes` more. */
async function activated(count: number, minutes: number) {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
  for (const status of ['paused', 'active'] as const) {
    await transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { status }, new Date()));
  }
  const events = Array.from({ length: count }, () => eventOf(merchant.id));
  await transaction(world.db, (tx) => recordEvents(tx, world.hints, events));
  await world.db.query('DELETE FROM deliveries WHERE endpoint_id = $1', [id]);
  const settleAt = `now() - interval '1 minute' * $2`;
  await world.db.query(`UPDATE webhook_endpoints SET settle_at = ${settleAt} WHERE id = $1`, [id, minutes]);
  return {
    id,
    async queued(): Promise<number> {
      const { rowCount } = await world.db.query('SELECT FROM deliveries WHERE endpoint_id = $1', [id]);
      return rowCount ?? 0;
    },
    async waits(): Promise<boolean | null> {
      const { rows } = await world.db.query<{ waits: boolean | null }>(
        'SELECT settle_at > now() AS waits FROM webhook_endpoints WHERE id = $1',
        [id],
      );
      return rows[0]!.waits;
    },
  };
}

/** Until the returned function is called, a statement that makes deliveries for which `condition` holds fails. */
async function refuseDeliveries(condition: string): Promise<() => Promise<unknown>> {
  await world.db.query(`
    CREATE FUNCTION refuse_made() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT ${condition} FROM made) THEN RAISE EXCEPTION 'refused for a test'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER refuse_made AFTER INSERT ON deliveries REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_made()`);
  return () => world.db.query('DROP TRIGGER refuse_made ON deliveries; DROP FUNCTION refuse_made');
}

test('what was being written while an endpoint was activated is queued in small batches, however much it is', async () => {
  const { queued, waits } = await activated(2_500, 1);
  const end = await refuseDeliveries('count(*) > 1000');
  await expect
    .poll(async () => {
      await settleActivated(world);
      return await queued();
    })
    .toBe(2_500);
  await expect
    .poll(async () => {
      await settleActivated(world);
      return await waits();
    })
    .toBeNull();
  await end();
});

test('an endpoint that cannot be settled waits, and keeps no other from it', async () => {
  const broken = await activated(1, 3);
  const others = [await activated(1, 2), await activated(1, 1)];
  const end = await refuseDeliveries(`bool_or(endpoint_id = '${broken.id}')`);
  await expect(settleActivated(world)).rejects.toThrow('refused for a test');
  expect(await Promise.all(others.map(({ queued }) => queued()))).toEqual([1, 1]);
  expect(await broken.waits()).toBe(true);
  await settleActivated(world);
  await end();
  await world.db.query('UPDATE webhook_endpoints SET settle_at = now() WHERE id = $1', [broken.id]);
  await settleActivated(world);
  expect(await broken.queued()).toBe(1);
});
