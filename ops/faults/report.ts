import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/programs.ts';
import type { Kept } from './kept.ts';
import type { Played } from './play-seed.ts';
import { linesOf } from './schedule.ts';
import type { BreakableWorld } from './world/start.ts';

const shown = 10;
const shownSigns = 240;
const shownVerdicts = 20;

/** One line for a seed that was played. */
export function lineOf({ seed, breaks, verdicts, phasesMs }: Played): string {
  const [played, healed = '-', rested = '-', judged = '-'] = phasesMs.map((ms) => (ms / 1000).toFixed(1));
  return (
    `seed ${seed}: ${breaks.length} breaks in ${played} s, healed in ${healed} s, at rest in ${rested} s, ` +
    `judged in ${judged} s: ${verdicts.length === 0 ? 'all is well' : `${verdicts.length} verdicts`}`
  );
}

/** Everything about a seed in which something is wrong, and how it is played again. */
export function failureOf({ seed, drawn, verdicts }: Played, { shape, log }: BreakableWorld): string[] {
  return [
    `Seed ${seed} (${shape.gateways}, wallets ${shape.wallets}): ${verdicts.length} verdicts`,
    ...verdicts.slice(0, shownVerdicts).map(({ kind, said }) => `  ${kind}: ${said}`),
    'The schedule:',
    ...linesOf(drawn).map((line) => `  ${line}`),
    'The last of each party:',
    ...log.last(shown).map((line) => line.slice(0, shownSigns)),
    `Again: npm run faults -- --seed ${seed}    (only the first K breaks: --until K)`,
  ];
}

/** Keeps everything that was noted, and what the gateways wrote, in a file; its path. */
export async function keepLogs(played: Played, world: BreakableWorld): Promise<string> {
  const { log, folder, gateways } = world;
  const file = join(root, 'data', `faults-seed-${played.seed}.log`);
  const written = await Promise.all(
    gateways.map(({ name }) => readFile(join(folder, `${name}.log`), 'utf8').catch(() => '')),
  );
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, [...failureOf(played, world), ...log.last(Infinity), ...written].join('\n'));
  return file;
}

const number = new Intl.NumberFormat('en-US');
const shortCommit = 12;

/** The table of a run, in Markdown: breaks by kind, what was played meanwhile, and the seeds in which something was wrong. */
export function tableOf(all: readonly Kept[]): string[] {
  const breaks = Map.groupBy(
    all.flatMap((kept) => kept.breaks),
    (kind) => kind,
  );
  const counts = new Map<string, bigint>();
  for (const { counts: each } of all)
    for (const [name, count] of Object.entries(each))
      counts.set(name, (counts.get(name) ?? 0n) + BigInt(count));
  const verdicts = all.flatMap((kept) => kept.verdicts);
  const of = (wanted: string) => verdicts.filter(({ kind }) => kind === wanted).length;
  const failed = all.filter((kept) => kept.verdicts.length > 0);
  const hours = (all.reduce((sum, { seconds }) => sum + seconds, 0) / 3600).toFixed(1);
  const commit = all[0]?.commit.slice(0, shortCommit);
  return [
    `${all.length} seeds of ${commit} in ${hours} hours, ${number.format(sumOf(breaks))} breaks: ` +
      `${of('lost')} lost, ${of('doubled')} doubled, ${of('wrong')} wrong.`,
    '',
    '| break | times |',
    '| --- | ---: |',
    ...[...breaks]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([kind, list]) => `| ${kind} | ${number.format(list.length)} |`),
    '',
    '| of these | there were |',
    '| --- | ---: |',
    ...[...counts].map(([name, count]) => `| ${name} | ${number.format(count)} |`),
    ...(failed.length === 0 ? [] : ['', '| seed | what was wrong first |', '| --- | --- |']),
    ...failed.map(({ seed, verdicts: [first] }) => `| ${seed} | ${cellOf(first?.said ?? '')} |`),
  ];
}

const sumOf = (lists: ReadonlyMap<string, readonly unknown[]>): number =>
  [...lists.values()].reduce((sum, list) => sum + list.length, 0);

const cellOf = (text: string): string =>
  text.split('\n')[0]?.slice(0, shownSigns).replaceAll('|', '\\|') ?? '';
