import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import { root } from '../../scripts/programs.ts';
import { signalAll } from '../failover/processes.ts';
import { startPlay } from './play.ts';
import { type Played, playSeed } from './play-seed.ts';
import { failureOf, keepLogs, lineOf } from './report.ts';
import { drawSchedule, shapeOf } from './schedule.ts';
import { removeLeftovers } from './world/leftovers.ts';
import { type BreakableWorld, startWorld } from './world/start.ts';

export type RunOptions = {
  seeds: readonly number[];
  until?: number;
  /** Whether the first world in which something is wrong stays until the command is ended. */
  keep?: boolean;
  /** Whose gateways play. */
  tree?: string;
  /** The first seed in which something is wrong ends it. */
  isSearch?: boolean;
  /** Told of each seed that ended. */
  ended?(played: Played): Promise<void>;
};

/** A seed that takes longer hangs. */
const seedMs = 900_000;
/** What does not end in this time is left. */
const endMs = 60_000;
const startTries = 3;
const stopSignals = ['SIGINT', 'SIGTERM'] as const;
const isRoot = process.getuid?.() === 0;

export const say = (line: string): void => console.log(new Date().toISOString().slice(11, 19), line);

/** What is running now, for whoever ends it from outside. */
type Running = { world: BreakableWorld | null; fail: ((error: Error) => void) | null };

/** Plays all seeds; a world is kept until its shape is another one, or something is wrong in it. */
export async function playAll(options: RunOptions): Promise<Played[]> {
  const { seeds, keep = false, tree = root, isSearch = false, ended } = options;
  const all: Played[] = [];
  const running: Running = { world: null, fail: null };
  // Without that the gateways would go on.
  const stop = () => void endWorld(running).finally(() => process.exit(1));
  // One that no seed is to blame for ends all.
  const failed = (error: Error) => {
    if (running.fail) return running.fail(error);
    say(inspect(error));
    stop();
  };
  for (const signal of stopSignals) process.once(signal, stop);
  process.on('uncaughtException', failed);
  try {
    for (const folder of await removeLeftovers()) say(`removed what a killed run left in ${folder}`);
    for (const seed of seeds) {
      const shape = shapeOf(seed);
      if (running.world && !isDeepStrictEqual(running.world.shape, shape)) await endWorld(running);
      running.world ??= await tryWorld({ shape, tree, ownDisk: isRoot });
      const played = await playOne(running, running.world, seed, options.until);
      all.push(played);
      say(lineOf(played));
      await ended?.(played);
      if (played.verdicts.length === 0) continue;
      if (isSearch && played.isJudged) break;
      await report(played, running.world);
      if (keep) {
        say(`The world is kept until this ends: ${running.world.settings.DATABASE_URL}`);
        await new Promise(() => {});
      }
      await endWorld(running);
    }
  } finally {
    await endWorld(running);
    for (const signal of stopSignals) process.off(signal, stop);
    process.off('uncaughtException', failed);
  }
  return all;
}

const run = `R${Date.now().toString(36)}`;

/** Plays one seed. That it hangs, or cannot be played to its end, is a failure of it. */
async function playOne(
  running: Running,
  world: BreakableWorld,
  seed: number,
  until?: number,
): Promise<Played> {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const hangs = new Error(`it has not ended after ${seedMs / 1000} s`);
  const timer = setTimeout(() => reject(hangs), seedMs);
  const begunMs = performance.now();
  let isJudged = true;
  running.fail = (error) => {
    isJudged = false;
    reject(error);
  };
  try {
    const given = { seed, run, ...(until !== undefined && { until }) };
    return await Promise.race([playSeed(world, given, startPlay), failure]);
  } catch (error) {
    const said = `the seed was not played to its end: ${inspect(error)}`;
    const phasesMs = [performance.now() - begunMs];
    const verdicts = [{ kind: 'wrong', said } as const];
    return { seed, breaks: [], drawn: drawSchedule(seed), verdicts, counts: {}, phasesMs, isJudged };
  } finally {
    running.fail = null;
    clearTimeout(timer);
  }
}

async function report(played: Played, world: BreakableWorld): Promise<void> {
  for (const line of failureOf(played, world)) console.log(line);
  say(`all that was noted: ${await keepLogs(played, world)}`);
}

/** A port may be taken by another program meanwhile. */
async function tryWorld(options: Parameters<typeof startWorld>[0]): Promise<BreakableWorld> {
  for (let tried = 1; ; tried++) {
    try {
      return await startWorld(options);
    } catch (error) {
      if (tried === startTries) throw error;
      say(`a world did not start: ${(error as Error).message}`);
    }
  }
}

async function endWorld(running: Running): Promise<void> {
  const { world } = running;
  running.world = null;
  if (!world) return;
  const ending = async () => {
    // What a break has stopped would not end.
    const stopped = await Promise.all([world.chain.processes(), world.database.processes()]);
    signalAll(stopped.flat(), 'SIGCONT');
    await world.end();
  };
  const ended = ending().catch((error: Error) => say(`at the end of a world: ${error.message}`));
  await Promise.race([ended, sleep(endMs, undefined, { ref: false })]);
}
