import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneRow } from '../../gateway/src/kit/db/one-row.ts';
import { startChild } from '../child.ts';
import { type LivesRig, play, withLivesRig } from '../lives-rig.ts';
import { untilRecorded } from '../webhook-drain.ts';
import { openMerchants } from '../webhook-rig.ts';
import type { Seen } from './judge.ts';
import type { RatePhase, RateReply, RateRequest } from './lives-at-rate.ts';
import { type Files, reckon } from './reckon.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { startWatch, type Watch } from './watch.ts';

const usualPart = 0.7;
const overloadTimes = 3;
const merchantCount = 100;
const measureConnections = 256;
const connections = 256;
/** Enough that no customer of the overload waits for one. */
const overloadConnections = 1_500;
const minuteMs = 60_000;

/** Plays the whole soak on a new gateway, and compares its books with what merchants were told. */
export async function playSoak(minutes: number, progress: (line: string) => void): Promise<Seen> {
  const schedule = scheduleOf(minutes);
  const folder = await mkdtemp(join(tmpdir(), 'florin-soak-'));
  const [created, completed, arrived] = ['created', 'completed', 'arrived'].map((name) => join(folder, name));
  try {
    return await withLivesRig((rig) =>
      playIn(rig, schedule, {
        files: { created: created!, completed: completed!, arrived: arrived! },
        progress,
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Around = { files: Files; progress(line: string): void };

async function playIn(rig: LivesRig, schedule: Schedule, { files, progress }: Around): Promise<Seen> {
  const { gateway, receiver } = rig;
  const limit = await measureLimit(rig, schedule.measureSeconds);
  progress(
    `${Math.round(limit).toLocaleString('en')} whole lives a second from ${measureConnections} connections`,
  );
  const merchants = await openMerchants(rig, merchantCount);
  await receiver.ask({ writeTo: files.arrived });
  const watch = startWatch(gateway, schedule.sampleSeconds * 1000);
  const teller = setInterval(() => progress(describe(watch)), minuteMs);
  let rate: RateReply;
  try {
    rate = await load(gateway.port, {
      keys: merchants.map(({ secretKey }) => secretKey),
      phases: phasesOf(schedule, limit * usualPart),
      created: files.created,
      completed: files.completed,
    });
  } finally {
    clearInterval(teller);
    await watch.stop();
  }
  progress('the load has ended');
  await untilRecorded(gateway.db);
  await receiver.ask({ writeTo: null });
  const integrations = merchants.map(({ integrationId }) => integrationId);
  const books = await reckon(gateway, { files, integrations, startedAtMs: rate.startedAtMs });
  const setting = await gateway.db.query<{ mb: number }>(
    "SELECT pg_size_bytes(current_setting('max_wal_size'))::float / 1e6 AS mb",
  );
  return {
    schedule,
    limit,
    rate,
    samples: watch.samples,
    walLimitMb: oneRow(setting, 'max_wal_size').mb,
    books,
  };
}

/** Whole lives a second that merchants of their own bring through. */
async function measureLimit(rig: LivesRig, seconds: number): Promise<number> {
  const merchants = await openMerchants(rig, merchantCount);
  const shops = { keys: merchants.map(({ secretKey }) => secretKey), haveEndpoints: true };
  await play(rig, shops, 'live', { connections: measureConnections, seconds: seconds / 5 });
  const { perSecond } = await play(rig, shops, 'live', { connections: measureConnections, seconds });
  if (!perSecond) throw new Error('No payment lived through');
  return perSecond;
}

function phasesOf({ usualEnds, overloadEnds, afterEnds }: Schedule, perSecond: number): RatePhase[] {
  return [
    { perSecond, seconds: usualEnds, connections },
    {
      perSecond: perSecond * overloadTimes,
      seconds: overloadEnds - usualEnds,
      connections: overloadConnections,
    },
    { perSecond, seconds: afterEnds - overloadEnds, connections },
  ];
}

async function load(port: number, request: Omit<RateRequest, 'port'>): Promise<RateReply> {
  const child = startChild<RateRequest, RateReply>('soak/lives-at-rate.ts');
  try {
    return await child.ask({ port, ...request });
  } finally {
    await child.stop();
  }
}

/** The newest sample, in a line for people. */
function describe({ samples }: Watch): string {
  const last = samples.at(-1);
  if (!last) return 'nothing was sampled yet';
  const mb = (value: number) => `${Math.round(value).toLocaleString('en')} MB`;
  return `memory ${mb(last.gatewayMb)} and ${mb(last.databaseMb)}, ${last.descriptors} open, ${last.connections} connections, tables ${mb(last.tablesMb)}, WAL ${mb(last.walMb)}, ${(last.deadPart * 100).toFixed(1)} % dead`;
}
