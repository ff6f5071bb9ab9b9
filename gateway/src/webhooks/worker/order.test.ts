import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mortal } from '../../../test/support/mortal.ts';
import {
  createWorld,
  eventOf,
  type Merchant,
  type Receiver,
  startReceiver,
} from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { createHttpSender } from '../../kit/net/safe-fetch.ts';
import { defaultEventTypes } from '../events/event-types.ts';
import { recordEvents } from '../events/outbox.ts';
import type { DeliveryWorker } from './worker.ts';

const workers: Worker[] = [];

const world = await createWorld();
const sender = createHttpSender();
afterEach(async () => {
  await Promise.all(workers.splice(0).map(({ worker }) => worker.stop()));
});
afterAll(async () => {
  await sender.close();
});

type Worker = { worker: DeliveryWorker; kill(): Promise<void> };

const workersAlive = async (): Promise<string[]> =>
  (await world.db.query<{ id: string }>('SELECT id FROM webhook_workers')).rows.map(({ id }) => id);

/** A worker that may end without a word: its database and its network are gone from then on. */
async function started(): Promise<Worker> {
  const others = await workersAlive();
  const process = mortal(world.db);
  const worker = world.worker({
    db: process.db,
    sender: {
      ...sender,
      send: (exchange) =>
        process.step(() => sender.send(exchange)).catch(() => ({ error: 'killed', durationMs: 0 })),
    },
  });
  worker.start();
  const own = (): Promise<string | undefined> =>
    workersAlive().then((alive) => alive.find((id) => !others.includes(id)));
  await expect.poll(own).toBeDefined();
  const id = await own();
  const entry: Worker = {
    worker,
    async kill() {
      process.interrupt(1, false, async () => 'dies');
      await process.step(async () => {}).catch(() => {});
      // As if the ten seconds had passed for which its leases outlive it.
      await world.db.query(`UPDATE webhook_workers SET until = now() - interval '1 second' WHERE id = $1`, [
        id,
      ]);
      await worker.stop();
    },
  };
  workers.push(entry);
  return entry;
}

const hangMs = 30;

type Play = { payments: number[]; answers: number[]; kills: number; together: boolean };

const plays: fc.Arbitrary<Play> = fc.record({
  /** How many events each payment has. */
  payments: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 }),
  answers: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 7, maxLength: 7 }),
  kills: fc.integer({ min: 0, max: 2 }),
  /** A payment's last two events are recorded in one transaction. */
  together: fc.boolean(),
});

function answer(response: ServerResponse, kind: number): void {
  if (kind === 0) response.socket?.destroy();
  else if (kind === 1) response.writeHead(500).end();
  else if (kind === 2) response.writeHead(429, { 'Retry-After': '1' }).end();
  else if (kind === 3) setTimeout(() => response.socket?.destroy(), hangMs);
  else response.end('ok');
}

async function tellOf(merchant: Merchant, count: number, together: boolean): Promise<void> {
  const { payment } = eventOf(merchant.id);
  const events = Array.from({ length: count }, (_, n) =>
    eventOf(merchant.id, {
      type: defaultEventTypes[n % defaultEventTypes.length]!,
      sequence: n + 1,
      payment,
    }),
  );
  const alone = together ? events.slice(0, -2) : events;
  for (const event of alone) await transaction(world.db, (tx) => recordEvents(tx, world.hints, [event]));
  if (together) await transaction(world.db, (tx) => recordEvents(tx, world.hints, events.slice(-2)));
}

const leastAttempts = async ({ id }: Merchant): Promise<number> => {
  const { rows } = await world.db.query<{ least: number }>(
    'SELECT coalesce(min(attempts), 0)::integer AS least FROM deliveries WHERE integration_id = $1',
    [id],
  );
  return rows[0]!.least;
};

/** The places at which each event first arrived, by payment, in the order of the events. */
function firstArrivals({ got }: Receiver): number[][] {
  const payments = new Map<string, Map<number, number>>();
  got.forEach(({ headers, raw }, place) => {
    const { payment_id } = JSON.parse(raw.toString()) as { payment_id: string };
    const firsts = payments.get(payment_id) ?? new Map<number, number>();
    payments.set(payment_id, firsts);
    const sequence = Number.parseInt(headers['x-sequence'] as string, 10);
    if (!firsts.has(sequence)) firsts.set(sequence, place);
  });
  return [...payments.values()].map((firsts) =>
    [...firsts].sort(([one], [other]) => one - other).map(([, place]) => place),
  );
}

test("a payment's events are first sent in their order, whatever is answered and whichever worker dies", async () => {
  await fc.assert(
    fc.asyncProperty(plays, async ({ payments, answers, kills, together }) => {
      let arrived = 0;
      const receiver = await startReceiver((response) => {
        answer(response, answers[arrived % answers.length]!);
        arrived += 1;
      });
      const merchant = await world.merchant();
      await merchant.endpoint(receiver.url);
      await started();
      const telling = payments.map((count) => tellOf(merchant, count, together && count > 1));
      for (let kill = 0; kill < kills; kill++) {
        await receiver.reached(kill * 2 + 1);
        await started();
        await workers.shift()!.kill();
      }
      await Promise.all(telling);
      await expect.poll(() => leastAttempts(merchant)).toBeGreaterThan(0);
      const arrivals = firstArrivals(receiver);
      expect(arrivals.map(({ length }) => length).sort()).toEqual([...payments].sort());
      for (const places of arrivals) expect(places).toEqual(places.toSorted((one, other) => one - other));
      await Promise.all(workers.splice(0).map(({ worker }) => worker.stop()));
    }),
    { numRuns: process.env.SOAK ? 100 : 5 },
  );
});
