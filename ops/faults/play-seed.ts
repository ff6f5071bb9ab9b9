import { setTimeout as sleep } from 'node:timers/promises';
import { heal, playBreaks } from './breaks/play-breaks.ts';
import { drawSchedule } from './schedule.ts';
import type { BreakableWorld } from './world/start.ts';
import type { Break, StartPlay, Verdict } from './world/world.ts';

/** What came of one seed. */
export type Played = {
  seed: number;
  /** Those that were played, of those that were drawn. */
  breaks: readonly Break[];
  drawn: readonly Break[];
  verdicts: readonly Verdict[];
  counts: Readonly<Record<string, number | bigint>>;
  /** Milliseconds: of the schedule, until all was healed, until nobody acted any more, and until all was judged. */
  phasesMs: readonly number[];
  /** False: an error of these programs ended it, which says nothing of Florin. */
  isJudged: boolean;
};

const checkMs = 2_000;
/** What the breaks of a seed leave time for before the first and after the last one. */
const calmMs = 300;

export type SeedOptions = {
  seed: number;
  run: string;
  /** Only so many breaks, the first ones. */
  until?: number;
  /** What is done of all that the seed says, in as much less time. */
  pace?: number;
};

/** Plays one seed in a world in which nothing is broken. */
export async function playSeed(
  world: BreakableWorld,
  { seed, run, until = Infinity, pace = 1 }: SeedOptions,
  startPlay: StartPlay,
): Promise<Played> {
  const phasesMs: number[] = [];
  let sinceMs = performance.now();
  const phase = () => {
    phasesMs.push(performance.now() - sinceMs);
    sinceMs = performance.now();
  };
  world.log.clear();
  await world.chain.alone(() => world.chain.driver.begin());
  const drawn = drawSchedule(seed)
    .slice(0, until)
    .map((each) => ({ ...each, atMs: each.atMs * pace, forMs: each.forMs * pace }));
  const play = await startPlay(world, { seed, run, pace });
  const verdicts: Verdict[] = [];
  let isOver = false;
  const checking = (async () => {
    for (; !isOver; await sleep(Math.min(checkMs, calmMs))) {
      if (verdicts.length === 0) verdicts.push(...(await play.check()));
    }
  })();
  // Waited for below, where the seed comes as far as that.
  checking.catch(() => {});
  const breaks = await playBreaks(world, drawn);
  await sleep(calmMs);
  isOver = true;
  await checking;
  phase();
  await heal(world);
  phase();
  await play.rest();
  phase();
  verdicts.push(...(await play.finish(breaks.some(({ kind }) => kind === 'reorg'))));
  phase();
  return { seed, breaks, drawn, verdicts, counts: play.counts(), phasesMs, isJudged: true };
}
