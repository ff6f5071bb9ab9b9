import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createWorld, startReceiver, type World } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { createHttpSender } from '../../kit/net/safe-fetch.ts';
import { shiftTestDeliveries } from '../endpoints/endpoints.ts';
import type { DeliveryWorker } from './worker.ts';

const workers: DeliveryWorker[] = [];

const world = await createWorld();
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

function started(...options: Parameters<World['worker']>): DeliveryWorker {
  const worker = world.worker(...options);
  worker.start();
  workers.push(worker);
  return worker;
}

describe('a running worker', () => {
  test('sends a fresh event without waiting for its next poll', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    started();
    for (let count = 1; count <= 3; count++) {
      await merchant.emit();
      await receiver.reached(count);
    }
    expect(receiver.got).toHaveLength(3);
  });
});

test('a worker that could not start does nothing afterwards', async () => {
  const merchant = await world.merchant();
  await merchant.endpoint((await startReceiver()).url);
  let isAway = true;
  let asked = 0;
  const query = (...args: Parameters<typeof world.db.query>) => {
    asked += 1;
    return isAway ? Promise.reject(new Error('The database is away')) : world.db.query(...args);
  };
  const db = { query } as unknown as typeof world.db;
  const late = world.worker({ db }).takeOver(merchant.id, (sendDue) => sendDue());
  await expect(late).rejects.toThrow('The database is away');
  isAway = false;
  asked = 0;
  await merchant.emit();
  expect(await world.runDue(merchant)).toBe(1);
  expect(asked).toBe(0);
});

describe('many endpoints', () => {
  test('are served while one of them hangs', async () => {
    const hanging = await startReceiver(() => {});
    const quick = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(hanging.url, ['payment_failed']);
    await merchant.endpoint(quick.url, ['payment_completed']);
    // However slow the machine is, no attempt ends before the others are served.
    const sender = createHttpSender({ timeoutMs: 600_000 });
    started({ sender });
    for (let count = 0; count < 50; count++) await merchant.emit({ type: 'payment_failed' });
    await hanging.reached(1);
    for (let count = 0; count < 50; count++) await merchant.emit();
    await quick.reached(50);
    expect(hanging.got.length).toBeLessThanOrEqual(4);
    await sender.close();
  });

  test('share a worker fairly: a backlog of one does not hold up another', async () => {
    const receiver = await startReceiver();
    const busy = await world.merchant();
    const other = await world.merchant();
    await busy.endpoint(receiver.url.replace('/hook', '/busy'));
    await other.endpoint(receiver.url.replace('/hook', '/other'));
    for (let count = 0; count < 600; count++) await busy.emit();
    await other.emit();
    started();
    await receiver.reached(601);
    const place = receiver.got.findIndex(({ path }) => path === '/other');
    expect(place).toBeLessThan(200);
  });
});

describe('several workers on one database', () => {
  test('send each delivery once', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const pair = [started(), started()];
    const ids = await Promise.all(Array.from({ length: 300 }, () => merchant.emit()));
    await receiver.reached(300);
    await Promise.all(pair.map((worker) => worker.stop()));
    expect(receiver.got.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort());
    const { rows } = await world.db.query(
      'SELECT status, attempts, count(*)::integer FROM deliveries WHERE integration_id = $1 GROUP BY 1, 2',
      [merchant.id],
    );
    expect(rows).toEqual([{ status: 'delivered', attempts: 1, count: 300 }]);
  });

  test('finish and record what is under way when they stop', async () => {
    const merchant = await world.merchant();
    let stopping: Promise<void> | undefined;
    const receiver = await startReceiver((response) => {
      stopping ??= worker.stop();
      setImmediate(() => response.end());
    });
    await merchant.endpoint(receiver.url);
    const worker = world.worker();
    worker.start();
    const eventId = await merchant.emit();
    await receiver.reached(1);
    await stopping;
    const { rows } = await world.db.query('SELECT status FROM deliveries WHERE event_id = $1', [eventId]);
    expect(rows).toEqual([{ status: 'delivered' }]);
  });

  test('take over from each other at once when one stops', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const first = started();
    await merchant.emit();
    await receiver.reached(1);
    await first.stop();
    started();
    await merchant.emit();
    await receiver.reached(2);
  });

  test('go on when one stood still for longer than its leases', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    started();
    await merchant.emit();
    await receiver.reached(1);
    await world.db.query(`UPDATE webhook_workers SET until = now() - interval '1 second'`);
    await expect
      .poll(async () => (await world.db.query('SELECT FROM webhook_workers WHERE until > now()')).rowCount)
      .toBe(1);
    await merchant.emit();
    await receiver.reached(2);
  });
});

describe('what a test clock sends', () => {
  test('waits for the worker of another process that holds the endpoint, which lets go of it', async () => {
    const held: ServerResponse[] = [];
    const receiver = await startReceiver((response) => void held.push(response));
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const other = started({ hints: world.otherHints() });
    const id = await merchant.emit();
    await receiver.reached(1);
    const workers = async () => {
      const { rows } = await world.db.query<{ id: string }>('SELECT id FROM webhook_workers');
      return rows.map((row) => row.id);
    };
    // A worker of the test before may still be ending.
    const known = await workers();
    let began = false;
    const tried = world.worker().takeOver(merchant.id, async (sendDue) => {
      began = true;
      await transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, 100));
      return await sendDue();
    });
    await expect.poll(async () => (await workers()).some((worker) => !known.includes(worker))).toBe(true);
    expect(began).toBe(false);
    held[0]?.writeHead(500).end();
    await receiver.reached(2);
    held[1]?.end('ok');
    expect(await tried).toBe(1);
    const { rows } = await world.db.query('SELECT status, attempts FROM deliveries WHERE event_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ status: 'delivered', attempts: 2 }]);
    // The other worker goes on with the endpoint.
    const arrived = receiver.reached(3);
    await merchant.emit();
    await arrived;
    held[2]?.end('ok');
    await other.stop();
  });

  test('goes to each endpoint one after the other, each delivery once', async () => {
    let open = 0;
    let most = 0;
    const receiver = await startReceiver((response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(500).end();
      });
    });
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const ids = [];
    for (let count = 0; count < 100; count++) ids.push(await merchant.emit());
    expect(await world.runDue(merchant)).toBe(100);
    expect(receiver.got.map(({ headers }) => headers['x-event-id'])).toEqual(ids);
    expect(most).toBe(1);
  });

  test('does not wait for an endpoint that hangs: workers send the rest', async () => {
    const hanging = await startReceiver(() => {});
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(hanging.url);
    for (let count = 0; count < 3; count++) await merchant.emit();
    const sender = createHttpSender({ timeoutMs: 200 });
    const own = world.worker({ sender });
    expect(await own.takeOver(merchant.id, (sendDue) => sendDue(100))).toBe(1);
    own.start();
    workers.push(own);
    const untried = `SELECT FROM deliveries WHERE endpoint_id = $1 AND attempts = 0`;
    await expect.poll(async () => (await world.db.query(untried, [id])).rowCount).toBe(0);
    await own.stop();
    await sender.close();
  });
});
