import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { shiftTestDeliveries } from '../src/webhooks/endpoints/endpoints.ts';
import type { GatewayProcess } from './support/gateway-process.ts';
import { drain, type Fleet, openFleet, randomOf, type Shop } from './webhooks/fleet.ts';
import { type Arrival, type Origin, openOrigin, type Reply } from './webhooks/origin.ts';

// Two gateways on one database send webhooks while events are committed. At random moments one of them, whatever it is
// doing, ends by SIGKILL, and another takes its place. Receivers are slow at times and fail at times, the same for the
// same seed. In the end every event must have arrived, and what was recorded must be what happened.

const seed = process.env.SEED === undefined ? 1 : Number.parseInt(process.env.SEED, 10);
const kills = process.env.SOAK ? 100 : 2;
const shops = 6;
const eventsASecond = process.env.SOAK ? 150 : 30;
const retryEveryMs = 500;

let fleet: Fleet;
let merchants: (Shop & { origin: Origin })[];
const arrivals = new Map<string, (Arrival & { answered: number })[]>();
const emitted: string[] = [];

beforeAll(async () => {
  fleet = await openFleet();
  merchants = await Promise.all(
    Array.from({ length: shops }, async () => {
      const origin = await openOrigin(receive);
      return { ...(await fleet.shop(origin.url)), origin };
    }),
  );
});
afterAll(() => Promise.all(merchants.map(({ origin }) => origin.close())));

function receive(arrival: Arrival): Reply {
  const id = `${arrival.headers['x-event-id']}`;
  const earlier = arrivals.get(id) ?? [];
  arrivals.set(id, earlier);
  const luck = createHash('sha256').update(`${seed} ${id} ${earlier.length}`).digest();
  const status = luck[0]! < 25 ? 500 : 200;
  earlier.push({ ...arrival, answered: status });
  return luck[1]! < 50 ? { status, afterMs: luck[2]! } : { status };
}

/** Commits events at an even pace, and brings retries near, until `isOver`. */
async function load(isOver: () => boolean): Promise<void> {
  const begun = performance.now();
  let shifted = begun;
  for (let n = 0; !isOver(); n++) {
    const early = begun + (n * 1000) / eventsASecond - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    emitted.push((await fleet.emit(merchants[n % shops]!)).id);
    if (performance.now() - shifted < retryEveryMs) continue;
    shifted = performance.now();
    for (const { integrationId } of merchants) {
      await transaction(fleet.db, (tx) => shiftTestDeliveries(tx, integrationId, 24 * 3600));
    }
  }
}

/** Kills one of the two at a time; the other one is ready then, and the one that comes next may still be starting. */
async function killAndReplace(random: () => number): Promise<void> {
  let [one, other]: [GatewayProcess, GatewayProcess] = [await fleet.start(), await fleet.start()];
  await Promise.all([one.ready, other.ready]);
  for (let n = 0; n < kills; n++) {
    const from = arrivals.size;
    await new Promise((resolve) => setTimeout(resolve, 50 + 700 * random()));
    await expect.poll(() => arrivals.size, { timeout: 120_000 }).toBeGreaterThan(from);
    await one.end('SIGKILL');
    one = await fleet.start();
    await other.ready;
    if (random() < 0.5) {
      await one.ready;
      [one, other] = [other, one];
    }
  }
  await Promise.all([one.ready, other.ready]);
}

type Recorded = {
  id: string;
  body: string;
  deliveries: number;
  status: string;
  attempts: number;
  /** null where no answer came. */
  codes: (number | null)[];
  places: number[];
};

async function recorded(): Promise<Recorded[]> {
  const { rows } = await fleet.db.query<Recorded>(
    `SELECT e.id, e.body, count(DISTINCT d.id)::integer AS deliveries, min(d.status) AS status,
       min(d.attempts) AS attempts, array_agg(a.status_code ORDER BY a.n) AS codes,
       array_agg(a.n ORDER BY a.n) AS places
     FROM events e LEFT JOIN deliveries d ON d.event_id = e.id LEFT JOIN delivery_attempts a ON a.delivery_id = d.id
     GROUP BY e.id`,
  );
  return rows;
}

/** What is wrong with an event; null when all is as it should be. */
function faultOf({ id, body, deliveries, status, attempts, codes, places }: Recorded): string | null {
  const came = arrivals.get(id) ?? [];
  const count = (code: number) => came.filter(({ answered }) => answered === code).length;
  if (came.length === 0) return 'never came';
  if (came.some(({ raw }) => raw !== body)) return 'came with other bytes';
  if (JSON.parse(body).event_id !== id) return 'has an id that is not its header';
  if (deliveries !== 1 || status !== 'delivered') return `is ${status} in ${deliveries} deliveries`;
  if (attempts !== places.length || places.some((n, index) => n !== index + 1))
    return `has attempts ${places}`;
  if (codes.indexOf(200) !== codes.length - 1) return `went on after a success: ${codes}`;
  if (codes.filter((code) => code === 500).length > count(500)) return 'has failures that never were';
  if (codes.length > came.length) return 'has attempts that never came';
  return null;
}

test(`of ${kills} gateways that are killed at random moments, none loses a webhook or records one twice`, async () => {
  let isOver = false;
  const loading = load(() => isOver);
  await Promise.race([killAndReplace(randomOf(seed)), loading]);
  isOver = true;
  await loading;
  await drain(fleet, 90_000);

  const rows = await recorded();
  const faults = rows.flatMap((row) => faultOf(row) ?? []);
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(rows.map(({ id }) => id).sort()).toEqual([...emitted].sort());
  expect([...arrivals.keys()].sort()).toEqual([...emitted].sort());
  if (process.env.SOAK) {
    const copies = [...arrivals.values()].reduce((sum, list) => sum + list.length, 0);
    const attempts = rows.reduce((sum, row) => sum + row.attempts, 0);
    console.log(`${emitted.length} events arrived ${copies} times, ${attempts} of them recorded`);
  }
}, 900_000);
