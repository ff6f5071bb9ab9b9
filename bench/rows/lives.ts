import { runContest } from '../contest.ts';
import { connectionCounts, isShort, type RowOptions } from '../http-row.ts';
import { lifeBytes } from '../life-bytes.ts';
import { type LivesRig, type Merchants, openShops, play, withLivesRig } from '../lives-rig.ts';
import type { Case, RowResult } from '../result.ts';

const many = 1_000;
/** How many payments wait to be paid when a measurement begins, for each second of it: more than it can pay. */
const unpaidASecond = 5_000;
const warmUpCount = (seconds: number): number => (isShort(seconds) ? 50 : 500);

/** Payments from their creation to the arrival of the webhook: of one merchant and of many, with and without endpoints. */
export async function lives(options: RowOptions): Promise<RowResult> {
  const cases: Case[] = [];
  const parts = [1, many].flatMap((count) =>
    [false, true].map((haveEndpoints) => async (rig: LivesRig) => {
      const merchants = await openShops(rig, count, haveEndpoints);
      const of = count === 1 ? 'one merchant' : `${count.toLocaleString('en')} merchants`;
      const measured = haveEndpoints ? wholeLives : completions;
      cases.push(...(await measured(rig, merchants, of, options)));
    }),
  );
  const measureBytes = async (rig: LivesRig) => {
    cases.push(await lifeBytes(rig, options));
  };
  if (isShort(options.seconds)) {
    await withLivesRig(async (rig) => {
      for (const part of [...parts.slice(0, 2), measureBytes]) await part(rig);
    });
  } else {
    // Each part has a gateway of its own: payments that one leaves unpaid would expire while another is measured.
    for (const part of parts) await withLivesRig(part);
    await withLivesRig(measureBytes, { countsStatements: true });
  }
  return { row: 'lives', title: "Payments' lives", cases };
}

/** Payments paid per second that were created before, beside payments created per second. */
async function completions(
  rig: LivesRig,
  merchants: Merchants,
  of: string,
  { seconds, progress }: RowOptions,
): Promise<Case[]> {
  const cases: Case[] = [];
  if (merchants.keys.length === 1) cases.push(await oneByOne(rig, merchants, { seconds, progress }));
  for (const connections of connectionCounts(seconds)) {
    const complete = async (each: number) => {
      const count = Math.ceil(each * unpaidASecond);
      await play(rig, merchants, 'create', { connections, count });
      return await play(rig, merchants, 'complete', { connections, seconds: each });
    };
    const contest = {
      name: `completed, ${connections} connections, ${of}, no endpoint`,
      contestants: contestants(complete, rig, merchants, { connections, seconds }),
      aims: { creates: 0.2 },
      limits: { cpuUs: { gateway: 250, postgres: 350 } },
      warmUp: async () => {
        await play(rig, merchants, 'create', { connections, count: warmUpCount(seconds) });
        await play(rig, merchants, 'complete', { connections, count: warmUpCount(seconds) });
      },
    };
    cases.push(await runContest(contest, progress));
  }
  return cases;
}

/** Payments per second that are created, paid and reported by webhook. */
async function wholeLives(
  rig: LivesRig,
  merchants: Merchants,
  of: string,
  { seconds, progress }: RowOptions,
): Promise<Case[]> {
  const cases: Case[] = [];
  for (const connections of connectionCounts(seconds)) {
    const live = (each: number) => play(rig, merchants, 'live', { connections, seconds: each });
    const contest = {
      name: `created, paid, webhook arrived, ${connections} connections, ${of}`,
      contestants: contestants(live, rig, merchants, { connections, seconds }),
      aims: { creates: 0.15 },
      warmUp: () => play(rig, merchants, 'live', { connections, count: warmUpCount(seconds) }),
    };
    cases.push(await runContest(contest, progress));
  }
  return cases;
}

const contestants = (
  gateway: (seconds: number) => ReturnType<typeof play>,
  rig: LivesRig,
  merchants: Merchants,
  length: { connections: number; seconds: number },
): Parameters<typeof runContest>[0]['contestants'] => [
  { name: 'gateway', measure: () => gateway(length.seconds) },
  { name: 'creates', measure: () => play(rig, merchants, 'create', length) },
];

/** One payment after the other on an idle machine, without a yardstick. */
async function oneByOne(
  rig: LivesRig,
  merchants: Merchants,
  { seconds, progress }: Pick<RowOptions, 'seconds' | 'progress'>,
): Promise<Case> {
  const complete = async (each: number) => {
    await play(rig, merchants, 'create', { connections: 64, count: Math.ceil(each * (unpaidASecond / 10)) });
    return await play(rig, merchants, 'complete', { connections: 1, seconds: each });
  };
  const contest = {
    name: 'completed alone, one connection, one merchant, no endpoint',
    contestants: [{ name: 'gateway', measure: () => complete(seconds) }] as const,
    aims: {},
    limits: { p50Ms: 4 },
    warmUp: () => complete(Math.min(1, seconds)),
  };
  return await runContest({ ...contest, contestants: [contest.contestants[0]] }, progress);
}
