import { join } from 'node:path';
import { openSeal } from '../gateway/src/operations/master-key.ts';
import { seedIntegration } from '../gateway/test/support/fixtures.ts';
import { type Child, startChild } from './child.ts';
import { withCpu } from './cpu.ts';
import type { GatewayOptions } from './gateway.ts';
import { inParts } from './in-parts.ts';
import type { LivesReply, LivesRequest } from './lives-load.ts';
import type { Figure } from './result.ts';
import { untilRecorded } from './webhook-drain.ts';
import { openedAtOnce, openMerchants, type WebhookRig, withWebhookRig } from './webhook-rig.ts';

export type LivesRig = WebhookRig & { load: Child<LivesRequest, LivesReply> };

/** The merchants whose payments are played; either all have an endpoint for completed payments, or none has. */
export type Merchants = { keys: string[]; haveEndpoints: boolean };

export async function withLivesRig<T>(
  work: (rig: LivesRig) => Promise<T>,
  options: GatewayOptions = {},
): Promise<T> {
  const run = async (rig: WebhookRig): Promise<T> => {
    const load = startChild<LivesRequest, LivesReply>('lives-load.ts');
    try {
      return await work({ ...rig, load });
    } finally {
      await load.stop();
    }
  };
  return await withWebhookRig(run, options);
}

export async function openShops(rig: LivesRig, count: number, haveEndpoints: boolean): Promise<Merchants> {
  if (haveEndpoints) {
    const merchants = await openMerchants(rig, count);
    return { keys: merchants.map(({ secretKey }) => secretKey), haveEndpoints };
  }
  const { db, dataDir } = rig.gateway;
  const seal = await openSeal(db, join(dataDir, 'master.key'));
  const opened = await inParts(Array.from({ length: count }), openedAtOnce, () => seedIntegration(db, seal));
  return { keys: opened.map(({ secretKey }) => secretKey), haveEndpoints };
}

/** How many payments, or for how long, by how many connections. */
export type Length = { connections: number } & ({ seconds: number } | { count: number });

/** Plays creates or completions; where merchants have endpoints, until the last webhook has arrived and is recorded. */
export async function play(
  { gateway, load, receiver }: LivesRig,
  { keys, haveEndpoints }: Merchants,
  task: LivesRequest['task'],
  length: Length,
): Promise<Figure> {
  return await withCpu(gateway.processes, async () => {
    const played = await load.ask({ port: gateway.port, keys, task, ...length });
    if (task === 'create' || !haveEndpoints) return played;
    const arrived = await receiver.ask({ expect: played.count });
    if (!('lastAt' in arrived)) throw new Error('The receiver did not wait');
    const ns = Number(BigInt(arrived.lastAt) - BigInt(played.startedAt));
    await untilRecorded(gateway.db);
    return { ...played, figure: { ...played.figure, perSecond: (played.count * 1e9) / ns } };
  });
}
