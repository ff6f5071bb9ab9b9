import fc from 'fast-check';
import { test } from 'vitest';
import { checkGame } from '../../../../test/pi-browser-oracle.ts';
import { openGame, play, schedules, settleDown } from '../../../../test/pi-browser-play.ts';
import { openPiWorld } from '../../../../test/pi-browser-world.ts';

// 300 schedules with `SOAK`, and a few otherwise. `SEED` plays those of a failure again.

const runs = process.env.SOAK ? 300 : 10;
const seed = Number.parseInt(process.env.SEED ?? '7', 10);
const timeLimitMs = process.env.SOAK ? 900_000 : 60_000;

test(
  'whatever happens to customers in the Pi Browser, what the platform confirmed is delivered, and nothing else',
  async () => {
    const world = await openPiWorld();
    const processes = [world, world.processOn(world.shop.db)];
    const property = fc.asyncProperty(schedules, async (steps) => {
      const game = await openGame(world, processes);
      for (const step of steps) await play(game, step);
      await settleDown(game);
      await checkGame(game);
    });
    await fc.assert(property, {
      numRuns: runs,
      seed,
      interruptAfterTimeLimit: timeLimitMs,
      markInterruptAsFailure: true,
    });
  },
  timeLimitMs + 30_000,
);
