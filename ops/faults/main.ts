// Breaks a whole world again and again, as seeds say: gateways, database, chain, Pi network, wallet backend, mail server,
// sources of rates and receivers of webhooks. Meanwhile merchants and customers act, and a model that knows nothing of Florin's
// tables says whether anything is lost, doubled or wrong.
// npm run faults -- [--seeds 10] [--from 1] [--write]    or    --seed N [--until K] [--keep]
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { root } from '../../scripts/programs.ts';
import { startPlay } from './play.ts';
import { type Played, playSeed } from './play-seed.ts';
import { failureOf, keepLogs, lineOf, tableOf } from './report.ts';
import { shapeOf } from './schedule.ts';
import { type BreakableWorld, startWorld } from './world/start.ts';

type Options = { seeds: number[]; until: number; keep: boolean };

const say = (line: string): void => console.log(new Date().toISOString().slice(11, 19), line);
const page = join(root, 'docs/faults.md');
const markers = ['<!-- faults -->', '<!-- /faults -->'] as const;
/** A seed that takes longer hangs. */
const seedMs = 300_000;
const isRoot = process.getuid?.() === 0;

/** Plays all seeds; a world is kept until its shape is another one, or something is wrong in it. */
async function playAll({ seeds, until, keep }: Options): Promise<Played[]> {
  const all: Played[] = [];
  let world: BreakableWorld | null = null;
  const run = `R${Date.now().toString(36)}`;
  async function endWorld(): Promise<void> {
    const ending = world;
    world = null;
    await ending?.end().catch((error: Error) => say(`at the end of a world: ${error.message}`));
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endWorld().finally(() => process.exit(1)));
  try {
    for (const seed of seeds) {
      const shape = shapeOf(seed);
      if (world && !isDeepStrictEqual(world.shape, shape)) await endWorld();
      world ??= await startWorld({ shape, ownDisk: isRoot });
      const hangs = sleep(seedMs, undefined, { ref: false }).then(() => {
        throw new Error(
          `Seed ${seed} has not ended after ${seedMs / 1000} s\n${world?.log.last(30).join('\n')}`,
        );
      });
      const played = await Promise.race([playSeed(world, { seed, run, until }, startPlay), hangs]);
      all.push(played);
      const { verdicts } = played;
      say(lineOf(played));
      if (verdicts.length === 0) continue;
      for (const line of failureOf(played, world)) console.log(line);
      say(`all that was noted: ${await keepLogs(played, world)}`);
      if (keep) {
        say(`The world is kept until this ends: ${world.settings.DATABASE_URL}`);
        await new Promise(() => {});
      }
      await endWorld();
    }
  } finally {
    await endWorld();
  }
  return all;
}

async function writeTable(lines: readonly string[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, after] = [text.split(markers[0])[0], text.split(markers[1])[1]];
  await writeFile(page, `${before}${markers[0]}\n\n${lines.join('\n')}\n\n${markers[1]}${after}`);
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    until: { type: 'string', default: 'Infinity' },
    keep: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const seeds = Array.from({ length: count }, (_, at) => from + at);
const all = await playAll({ seeds, until: Number(values.until), keep: values.keep });
for (const line of tableOf(all)) console.log(line);
if (values.write) await writeTable(tableOf(all));
process.exit(all.some(({ verdicts }) => verdicts.length > 0) ? 1 : 0);
