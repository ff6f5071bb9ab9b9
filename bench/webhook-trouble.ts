import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../gateway/src/kit/db/db.ts';
import { recordEvents } from '../gateway/src/webhooks/events/outbox.ts';
import { runContest } from './contest.ts';
import { isShort, type RowOptions } from './http-row.ts';
import type { Case, Figure } from './result.ts';
import { figureOf } from './webhook-latency.ts';
import { completedEvent, type Merchant, openMerchants, type WebhookRig } from './webhook-rig.ts';

/** How many endpoints are healthy, and how many have each kind of trouble. */
const usual = { healthyOnes: 425, each: 25 };
const few = { healthyOnes: 17, each: 1 };
const pauseMs = 3;

/**
 * From commit to arrival at the healthy ones of 500 endpoints (20 in a short run), of which 25 hang, 25 answer 500 and 25
 * refuse; beside the same with healthy ones in their place. Events are sent one after the other, to all endpoints in turn.
 */
export async function trouble(rig: WebhookRig, { seconds, progress }: RowOptions): Promise<Case> {
  const { healthyOnes, each } = isShort(seconds) ? few : usual;
  const healthy = await openMerchants(rig, healthyOnes);
  const spare = await openMerchants(rig, 3 * each);
  const troubled = [
    ...(await openMerchants(rig, each, 'hangs')),
    ...(await openMerchants(rig, each, 'fails')),
    ...(await openMerchants(rig, each, 'refuses')),
  ];
  const measured = (others: Merchant[], forSeconds: number): Promise<Figure> =>
    tellAll(rig, { healthy, others }, forSeconds);
  const warmUpSeconds = Math.min(seconds, 2);
  return await runContest(
    {
      name: `${healthyOnes + 3 * each} endpoints, ${3 * each} in trouble, the others`,
      contestants: [
        { name: 'gateway', measure: () => measured(troubled, seconds) },
        { name: 'all of them healthy', measure: () => measured(spare, seconds) },
      ],
      aims: {},
      limits: { p50Ms: 3, p99Ms: 15 },
      warmUp: ({ name }) => measured(name === 'gateway' ? troubled : spare, warmUpSeconds),
    },
    progress,
  );
}

type Crowd = { healthy: readonly Merchant[]; others: readonly Merchant[] };

async function tellAll(
  { gateway, hints, receiver }: WebhookRig,
  { healthy, others }: Crowd,
  seconds: number,
): Promise<Figure> {
  const inTurn = interleaved(healthy, others);
  const measuredIds = new Set(healthy.map(({ endpointId }) => endpointId));
  const committed = new Map<string, bigint>();
  await receiver.ask({ note: true });
  const end = performance.now() + seconds * 1000;
  for (let n = 0; n < 1 || performance.now() < end; n++) {
    const merchant = inTurn[n % inTurn.length]!;
    const [id] = await transaction(gateway.db, (tx) => recordEvents(tx, hints, [completedEvent(merchant)]));
    if (measuredIds.has(merchant.endpointId)) committed.set(id!, process.hrtime.bigint());
    await sleep(pauseMs);
  }
  const reply = await receiver.ask({ arrivalsOf: [...committed.keys()] });
  if (!('arrivals' in reply)) throw new Error('The receiver noted nothing');
  const commits = [...committed.values()];
  return figureOf(reply.arrivals.map((at, n) => Number(BigInt(at) - commits[n]!) / 1e6));
}

/** Mixes the others among the healthy ones, about every seventh. */
function interleaved(healthy: readonly Merchant[], others: readonly Merchant[]): Merchant[] {
  const every = Math.ceil(healthy.length / others.length);
  return others.flatMap((other, n) => [...healthy.slice(n * every, (n + 1) * every), other]);
}
