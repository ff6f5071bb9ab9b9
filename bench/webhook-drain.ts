import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../gateway/src/kit/db/db.ts';
import { newId } from '../gateway/src/kit/ids.ts';
import { eventBody } from '../gateway/src/webhooks/events/body.ts';
import { runContest } from './contest.ts';
import { withCpu } from './cpu.ts';
import type { RowOptions } from './http-row.ts';
import type { Case, Figure } from './result.ts';
import {
  completedEvent,
  type Merchant,
  openMerchants,
  queueEvents,
  release,
  type WebhookRig,
} from './webhook-rig.ts';

// 20,000 at the usual five seconds.
const queuedASecond = 4_000;
const warmUpCount = 2_000;
// More at once makes the bare loop no faster.
const bareAtOnce = 64;
const pollMs = 5;

/** Delivers a full queue, signed and recorded, to a number of origins. */
export async function drain(rig: WebhookRig, origins: number, options: RowOptions): Promise<Case> {
  const count = Math.ceil(options.seconds * queuedASecond);
  const merchants = await openMerchants(rig, origins);
  const measures: Record<string, (count: number) => Promise<Figure>> = {
    gateway: (each) => drainQueue(rig, merchants, each),
    'bare request loop': (each) => sendBare(rig, merchants, each),
  };
  const [ours, bare] = Object.entries(measures).map(([name, measure]) => ({
    name,
    measure: () => measure(count),
  }));
  return await runContest(
    {
      name: origins === 1 ? `${count} to one origin` : `${count} to ${origins} origins`,
      contestants: [ours!, bare!],
      aims: { 'bare request loop': 0.5 },
      warmUp: ({ name }) => measures[name]!(Math.min(count, warmUpCount)),
    },
    options.progress,
  );
}

async function drainQueue(rig: WebhookRig, merchants: readonly Merchant[], count: number): Promise<Figure> {
  await queueEvents(rig.gateway.db, merchants, count);
  const arrival = rig.receiver.ask({ expect: count });
  const startedAt = process.hrtime.bigint();
  return await withCpu(rig.gateway.processes, async () => {
    await release(rig, merchants);
    await arrival;
    await untilRecorded(rig.gateway.db);
    return { figure: rateOf(count, startedAt, process.hrtime.bigint()), count };
  });
}

/** Resolves when no delivery waits any more. */
export async function untilRecorded(db: Database): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query("SELECT FROM deliveries WHERE status = 'pending' LIMIT 1");
    if (rowCount === 0) return;
    await sleep(pollMs);
  }
}

async function sendBare(rig: WebhookRig, merchants: readonly Merchant[], count: number): Promise<Figure> {
  const body = eventBody(newId(), completedEvent(merchants[0]!));
  const urls = merchants.map(({ url }) => url);
  const arrival = rig.receiver.ask({ expect: count });
  const { firstAt, lastAt } = await rig.sender.ask({ urls, body, count, atOnce: bareAtOnce });
  await arrival;
  return rateOf(count, BigInt(firstAt), BigInt(lastAt));
}

function rateOf(count: number, fromNs: bigint, toNs: bigint): Figure {
  return {
    perSecond: (count * 1e9) / Number(toNs - fromNs),
    p50Ms: null,
    p99Ms: null,
    generatorCpu: null,
  };
}
