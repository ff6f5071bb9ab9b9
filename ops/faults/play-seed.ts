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
  tookMs: number;
};

const checkMs = 2_000;
/** What the breaks of a seed leave time for before the first and after the last one. */
const calmMs = 300;

/** Plays one seed in a world in which nothing is broken. `until`: only so many breaks. */
export async function playSeed(
  world: BreakableWorld,
  { seed, run, until = Infinity }: { seed: number; run: string; until?: number },
  startPlay: StartPlay,
): Promise<Played> {
  const begunMs = performance.now();
  world.log.clear();
  await world.chain.alone(() => world.chain.driver.begin());
  const drawn = drawSchedule(seed).slice(0, until);
  const play = await startPlay(world, seed, run);
  const verdicts: Verdict[] = [];
  let isOver = false;
  const checking = (async () => {
    for (; !isOver; await sleep(Math.min(checkMs, calmMs))) {
      if (verdicts.length === 0) verdicts.push(...(await play.check()));
    }
  })();
  const breaks = await playBreaks(world, drawn);
  await sleep(calmMs);
  isOver = true;
  await checking;
  await heal(world);
  await play.rest();
  verdicts.push(...(await play.finish()));
  return { seed, breaks, drawn, verdicts, counts: play.counts(), tookMs: performance.now() - begunMs };
}
