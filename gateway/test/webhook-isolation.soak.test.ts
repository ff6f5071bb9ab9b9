import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParts } from '../../bench/in-parts.ts';
import { openedAtOnce } from '../../bench/webhook-rig.ts';
import { transaction } from '../src/kit/db/db.ts';
import { updateEndpoint } from '../src/webhooks/endpoints/endpoints.ts';
import { drain, type Fleet, openFleet, type Shop } from './webhooks/fleet.ts';
import { type Origin, openOrigin, type Reply } from './webhooks/origin.ts';

// 500 merchants with a server each. Of every twenty, one hangs, one answers 500 and one refuses to be connected to;
// the others must hardly notice. Clean and sick rounds take turns, so that a busy machine slows both.

const endpoints = 500;
const rounds = process.env.SOAK ? 10 : 2;
const eventsAnEndpoint = process.env.SOAK ? 4 : 1;
const eventsASecond = 500;
const mostCommits = 40;
const most = 2;
/** What is faster than this is fast enough. A worker whose hands are full of hanging exchanges is late by seconds. */
const floorMs = process.env.SOAK ? 25 : 500;

const refusing = 'http://127.0.0.1:9/nobody';
type Ailment = 'hangs' | 'fails' | 'refuses' | null;
const ailments: readonly Ailment[] = ['hangs', 'fails', 'refuses'];

type Server = Shop & { origin: Origin; ailment: Ailment };

let fleet: Fleet;
let servers: Server[] = [];
let isSick = false;
const arrivals = new Map<string, number>();
let onArrival = (): void => {};

beforeAll(async () => {
  fleet = await openFleet();
  const gateway = await fleet.start();
  const wanted = Array.from({ length: endpoints }, (_, n) => ailments[n % 20] ?? null);
  // As many at once as the pool has connections: on a busy machine others would give up.
  servers = await inParts(wanted, openedAtOnce, openServer);
  await gateway.ready;
});
afterAll(() => Promise.all(servers.map(({ origin }) => origin.close())));

async function openServer(ailment: Ailment): Promise<Server> {
  const sick: Reply = ailment === 'hangs' ? 'hang' : { status: ailment === 'fails' ? 500 : 200 };
  const origin = await openOrigin(({ headers, at }) => {
    arrivals.set(`${headers['x-event-id']}`, at);
    onArrival();
    return isSick ? sick : { status: 200 };
  });
  return { ...(await fleet.shop(origin.url)), origin, ailment };
}

/** Turns the ailments on or off; of a server that is not there any more, its endpoint's address tells. */
async function setSick(sick: boolean): Promise<void> {
  isSick = sick;
  if (!sick) for (const { origin } of servers) origin.release();
  const moved = servers.filter(({ ailment }) => ailment === 'refuses');
  for (const { endpointId, origin } of moved) {
    const change = { url: sick ? refusing : origin.url };
    await transaction(fleet.db, (tx) =>
      updateEndpoint(tx, fleet.hints, endpointId, { ...change, now: new Date() }),
    );
  }
}

/** Tells everybody at an even pace; how long each webhook took from its commit to a server that is always well, in ms. */
async function round(): Promise<number[]> {
  const committed = new Map<string, number>();
  const begun = performance.now();
  const underway = new Set<Promise<void>>();
  for (let n = 0; n < endpoints * eventsAnEndpoint; n++) {
    const early = begun + (n * 1000) / eventsASecond - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const server = servers[n % endpoints]!;
    const emitted = fleet.emit(server).then(({ id, committedAt }) => {
      underway.delete(emitted);
      if (server.ailment === null) committed.set(id, committedAt);
    });
    underway.add(emitted);
    // A machine that is too busy for the pace makes its own.
    if (underway.size >= mostCommits) await Promise.race(underway);
  }
  await Promise.all(underway);
  await arrivalOf([...committed.keys()]);
  // A webhook may come before the reply to its commit does.
  return [...committed].map(([id, at]) => Math.max(arrivals.get(id)! - at, 0));
}

function arrivalOf(ids: readonly string[]): Promise<void> {
  let left = ids.filter((id) => !arrivals.has(id));
  return new Promise((resolve) => {
    onArrival = () => {
      while (left.length > 0 && arrivals.has(left.at(-1)!)) left = left.slice(0, -1);
      if (left.length === 0) resolve();
    };
    onArrival();
  });
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!;
}

/** Of a few rounds beside other tests, only what every sick round has is the sick endpoints' doing. */
function typical(times: readonly number[], of: 'clean' | 'sick'): number {
  const sorted = [...times].sort((a, b) => a - b);
  if (process.env.SOAK) return sorted[sorted.length >> 1]!;
  return sorted.at(of === 'clean' ? -1 : 0)!;
}

/** At how many of the endpoints that fail or refuse an attempt did fail. */
async function foundSick(): Promise<number> {
  const ill = servers.filter(({ ailment }) => ailment === 'fails' || ailment === 'refuses');
  const { rows } = await fleet.db.query<{ endpoints: number }>(
    `SELECT count(DISTINCT d.endpoint_id)::integer AS endpoints
     FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id
     WHERE a.error IS NOT NULL AND d.endpoint_id = ANY ($1)`,
    [ill.map(({ endpointId }) => endpointId)],
  );
  return rows[0]!.endpoints;
}

test('endpoints that hang, fail or refuse delay nobody else', async () => {
  // Connections are made, and code is compiled.
  await round();
  const clean: number[] = [];
  const sick: number[] = [];
  for (let n = 0; n < rounds; n++) {
    clean.push(p99(await round()));
    await setSick(true);
    sick.push(p99(await round()));
    await setSick(false);
    await drain(fleet, 60_000);
  }
  // Of fifty; the last ones of a round may be well again before they are tried.
  expect(await foundSick()).toBeGreaterThan(endpoints / 20);
  const told = `p99 of clean rounds ${clean.map(Math.round)} ms, of sick ones ${sick.map(Math.round)} ms`;
  if (process.env.SOAK) console.log(told);
  expect(typical(sick, 'sick'), told).toBeLessThanOrEqual(Math.max(most * typical(clean, 'clean'), floorMs));
}, 600_000);
