import { expect, test } from 'vitest';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { startPlay } from './play.ts';
import { playSeed } from './play-seed.ts';
import { failureOf } from './report.ts';
import { shapeOf } from './schedule.ts';
import { startWorld } from './world/start.ts';

// Ten seeds of `npm run faults` in one world, each in less time than there.

const seeds = Array.from({ length: 10 }, (_, at) => at + 1);
const pace = 0.4;

test('of ten seeds none loses, doubles or misstates anything', async () => {
  const world = await startWorld({ shape: shapeOf(1) });
  atFileEnd(world.end);
  for (const seed of seeds) {
    const played = await playSeed(world, { seed, run: 'T', pace }, startPlay);
    expect(played.verdicts, failureOf(played, world).join('\n')).toEqual([]);
  }
}, 900_000);
