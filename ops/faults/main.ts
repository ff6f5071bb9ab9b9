// Breaks a whole world again and again, as seeds say: gateways, database, chain, Pi network, wallet backend, mail server,
// sources of rates and receivers of webhooks. Meanwhile merchants and customers act, and a model that knows nothing of Florin's
// tables says whether anything is lost, doubled or wrong.
// npm run faults -- [--seeds 10] [--from 1]    or    --seed N [--until K] [--keep]
// or --seeds N --write [--kept FILE]: keeps a line for each seed in the file, goes on where it ended, and writes the table
// or --planted [NAME ...]: puts faults into copies of Florin, and plays seeds on each until the model objects.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/programs.ts';
import { commitOf, keep, keptOf, readKept } from './kept.ts';
import { planted } from './planted/list.ts';
import { plant } from './planted/tree.ts';
import { tableOf } from './report.ts';
import { playAll, say } from './run.ts';

const page = 'docs/faults.md';
const markers = ['<!-- faults -->', '<!-- /faults -->'] as const;

/** Within so many seeds each fault that is put into Florin has to be found. */
const searchSeeds = 50;

/** Puts each of these faults into a copy of Florin. Resolves with the names of those that the model did not find. */
async function findPlanted(names: readonly string[], first: number): Promise<string[]> {
  const missed: string[] = [];
  for (const fault of planted.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const { tree, remove } = await plant(fault);
    const seeds = Array.from({ length: searchSeeds }, (_, at) => first + at);
    say(`${fault.name}: ${fault.harm}`);
    const played = await playAll({ seeds, tree, isSearch: true }).finally(remove);
    const { seed, verdicts: [verdict] = [] } = played.filter(({ isJudged }) => isJudged).at(-1) ?? {};
    if (!verdict) missed.push(fault.name);
    say(`${fault.name}: ${verdict ? `found by seed ${seed}` : 'NOT FOUND'}: ${verdict?.said ?? ''}`);
  }
  return missed;
}

/** Plays those of these seeds that the file has not of this commit, and writes the table of all that it has then. */
async function playOn(seeds: readonly number[], file: string): Promise<boolean> {
  const commit = await commitOf(page);
  const before = new Set((await readKept(file, commit)).map(({ seed }) => seed));
  const left = seeds.filter((seed) => !before.has(seed));
  say(`${left.length} of ${seeds.length} seeds are left of ${commit.slice(0, 12)}`);
  await playAll({ seeds: left, ended: async (played) => await keep(file, keptOf(played, commit)) });
  const all = await readKept(file, commit);
  const table = tableOf(all);
  for (const line of table) console.log(line);
  const text = await readFile(join(root, page), 'utf8');
  const [start, end] = [text.split(markers[0])[0], text.split(markers[1])[1]];
  await writeFile(join(root, page), `${start}${markers[0]}\n\n${table.join('\n')}\n\n${markers[1]}${end}`);
  const isWell = new Map(all.map(({ seed, verdicts }) => [seed, verdicts.length === 0]));
  return seeds.every((seed) => isWell.get(seed));
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
    kept: { type: 'string', default: join(root, 'data/faults.jsonl') },
  },
});
const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const seeds = Array.from({ length: count }, (_, at) => from + at);
if (values.planted) process.exit((await findPlanted(positionals, from)).length === 0 ? 0 : 1);
if (values.write) process.exit((await playOn(seeds, values.kept)) ? 0 : 1);
const all = await playAll({ seeds, until: Number(values.until), keep: values.keep });
for (const line of tableOf(all.map((played) => keptOf(played, 'this tree')))) console.log(line);
process.exit(all.some(({ verdicts }) => verdicts.length > 0) ? 1 : 0);
