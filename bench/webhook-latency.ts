import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../gateway/src/kit/db/db.ts';
import { newId } from '../gateway/src/kit/ids.ts';
import { eventBody } from '../gateway/src/webhooks/events/body.ts';
import { recordEvents } from '../gateway/src/webhooks/events/outbox.ts';
import type { RowOptions } from './http-row.ts';
import type { ReceiverReply } from './receiver.ts';
import { type Case, describeFigure, type Figure } from './result.ts';
import { completedEvent, type Merchant, openMerchants, type WebhookRig } from './webhook-rig.ts';

const pauseMs = 10;
const warmUpSamples = 20;

/**
 * From the commit of a completed payment's event to its arrival, on an idle system. The commit is made outside the gateway,
 * which gets a hint of it as from another gateway.
 */
export async function latency(rig: WebhookRig, { seconds, progress }: RowOptions): Promise<Case> {
  const [merchant] = await openMerchants(rig, 1);
  const samples: Record<string, number[]> = { gateway: [], 'bare request': [] };
  const end = performance.now() + seconds * 1000;
  for (let n = -warmUpSamples; n < 1 || performance.now() < end; n++) {
    const ours = await commitToArrival(rig, merchant!);
    await sleep(pauseMs);
    const bare = await requestToArrival(rig, merchant!);
    await sleep(pauseMs);
    if (n < 0) continue;
    samples.gateway!.push(ours);
    samples['bare request']!.push(bare);
  }
  const figures = Object.fromEntries(Object.entries(samples).map(([who, all]) => [who, figureOf(all)]));
  const name = 'commit to arrival, idle';
  for (const [who, figure] of Object.entries(figures)) progress(`${name}, ${who}: ${describeFigure(figure)}`);
  return { name, figures, runs: {}, ratios: [], limits: { p50Ms: 3, p99Ms: 15 } };
}

async function commitToArrival(
  { gateway, hints, receiver }: WebhookRig,
  merchant: Merchant,
): Promise<number> {
  const arrival = receiver.ask({ expect: 1 });
  await transaction(gateway.db, (tx) => recordEvents(tx, hints, [completedEvent(merchant)]));
  const committedAt = process.hrtime.bigint();
  return millisecondsTo(await arrival, committedAt);
}

async function requestToArrival({ receiver, sender }: WebhookRig, merchant: Merchant): Promise<number> {
  const arrival = receiver.ask({ expect: 1 });
  const body = eventBody(newId(), completedEvent(merchant));
  const { firstAt } = await sender.ask({ urls: [merchant.url], body, count: 1, atOnce: 1 });
  return millisecondsTo(await arrival, BigInt(firstAt));
}

function millisecondsTo(arrival: ReceiverReply, fromNs: bigint): number {
  if (!('lastAt' in arrival)) throw new Error('The receiver did not wait');
  return Number(BigInt(arrival.lastAt) - fromNs) / 1e6;
}

/** The percentiles of latencies in ms. */
export function figureOf(samplesMs: readonly number[]): Figure {
  const sorted = samplesMs.toSorted((a, b) => a - b);
  const percentile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { perSecond: null, p50Ms: percentile(0.5), p99Ms: percentile(0.99), generatorCpu: null };
}
