// Breaks a whole world again and again, as seeds say: gateways, database, chain, Pi network, wallet backend, mail server,
// sources of rates and receivers of webhooks. Meanwhile merchants and customers act, and a model that knows nothing of Florin's
// tables says whether anything is lost, doubled or wrong.
// npm run faults -- [--seeds 10] [--from 1] [--write]    or    --seed N [--until K] [--keep]
// or --planted [NAME ...]: puts faults into copies of Florin, and plays seeds on each until the model objects.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual, parseArgs } from 'node:util';
import { root } from '../../scripts/programs.ts';
import { planted } from './planted/list.ts';
import { plant } from './planted/tree.ts';
import { startPlay } from './play.ts';
import { type Played, playSeed } from './play-seed.ts';
import { failureOf, keepLogs, lineOf, tableOf } from './report.ts';
import { shapeOf } from './schedule.ts';
import { type BreakableWorld, startWorld } from './world/start.ts';

/** `tree`: whose gateways play. `isSearch`: the first seed in which something is wrong ends it. */
type Options = { seeds: number[]; until: number; keep: boolean; tree?: string; isSearch?: boolean };

const say = (line: string): void => console.log(new Date().toISOString().slice(11, 19), line);
const page = join(root, 'docs/faults.md');
const markers = ['<!-- faults -->', '<!-- /faults -->'] as const;
/** A seed that takes longer hangs. */
const seedMs = 300_000;
const signals = ['SIGINT', 'SIGTERM', 'uncaughtException'] as const;
const isRoot = process.getuid?.() === 0;

/** Plays all seeds; a world is kept until its shape is another one, or something is wrong in it. */
async function playAll({ seeds, until, keep, tree = root, isSearch = false }: Options): Promise<Played[]> {
  const all: Played[] = [];
  let world: BreakableWorld | null = null;
  const run = `R${Date.now().toString(36)}`;
  async function endWorld(): Promise<void> {
    const ending = world;
    world = null;
    await ending?.end().catch((error: Error) => say(`at the end of a world: ${error.message}`));
  }
  // Without that the gateways would go on.
  const stop = (why: unknown) => {
    if (why instanceof Error) say(inspect(why));
    void endWorld().finally(() => process.exit(1));
  };
  for (const signal of signals) process.once(signal, stop);
  try {
    for (const seed of seeds) {
      const shape = shapeOf(seed);
      if (world && !isDeepStrictEqual(world.shape, shape)) await endWorld();
      world ??= await startWorld({ shape, tree, ownDisk: isRoot });
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
      if (isSearch) break;
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
    for (const signal of signals) process.off(signal, stop);
  }
  return all;
}

/** Within so many seeds each fault that is put into Florin has to be found. */
const searchSeeds = 50;

/** Puts each of these faults into a copy of Florin. Resolves with the names of those that the model did not find. */
async function findPlanted(names: readonly string[], first: number): Promise<string[]> {
  const missed: string[] = [];
  for (const fault of planted.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const { tree, remove } = await plant(fault);
    const seeds = Array.from({ length: searchSeeds }, (_, at) => first + at);
    say(`${fault.name}: ${fault.harm}`);
    const played = await playAll({ seeds, until: Infinity, keep: false, tree, isSearch: true }).finally(
      remove,
    );
    const verdict = played.at(-1)?.verdicts[0];
    if (!verdict) missed.push(fault.name);
    say(`${fault.name}: ${verdict ? `found by seed ${played.length}` : 'NOT FOUND'}: ${verdict?.said ?? ''}`);
  }
  return missed;
}

async function writeTable(lines: readonly string[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, after] = [text.split(markers[0])[0], text.split(markers[1])[1]];
  await writeFile(page, `${before}${markers[0]}\n\n${lines.join('\n')}\n\n${markers[1]}${after}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    planted: { type: 'boolean', default: false },
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
if (values.planted) process.exit((await findPlanted(positionals, from)).length === 0 ? 0 : 1);
const all = await playAll({ seeds, until: Number(values.until), keep: values.keep });
for (const line of tableOf(all)) console.log(line);
if (values.write) await writeTable(tableOf(all));
process.exit(all.some(({ verdicts }) => verdicts.length > 0) ? 1 : 0);
