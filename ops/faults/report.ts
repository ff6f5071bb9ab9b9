import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Played } from './play-seed.ts';
import { linesOf } from './schedule.ts';
import type { BreakableWorld } from './world/start.ts';

const shown = 10;
const shownSigns = 240;
const shownVerdicts = 20;

/** One line for a seed that was played. */
export function lineOf({ seed, breaks, verdicts, phasesMs }: Played): string {
  const [played, healed, rested, judged] = phasesMs.map((ms) => (ms / 1000).toFixed(1));
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
export async function keepLogs({ seed }: Played, { log, folder, gateways }: BreakableWorld): Promise<string> {
  const file = join(tmpdir(), `florin-faults-seed-${seed}.log`);
  const written = await Promise.all(
    gateways.map(({ name }) => readFile(join(folder, `${name}.log`), 'utf8').catch(() => '')),
  );
  await writeFile(file, [...log.last(Infinity), ...written].join('\n'));
  return file;
}

/** The table of a run, in Markdown: breaks by kind, and what was played meanwhile. */
export function tableOf(all: readonly Played[]): string[] {
  const kinds = Map.groupBy(
    all.flatMap(({ breaks }) => breaks),
    ({ kind }) => kind,
  );
  const counts = new Map<string, bigint>();
  for (const { counts: each } of all)
    for (const [name, count] of Object.entries(each))
      counts.set(name, (counts.get(name) ?? 0n) + BigInt(count));
  const verdicts = all.flatMap((played) => played.verdicts);
  const of = (wanted: string) => verdicts.filter(({ kind }) => kind === wanted).length;
  const number = new Intl.NumberFormat('en-US');
  return [
    `${all.length} seeds, ${number.format(all.reduce((sum, { breaks }) => sum + breaks.length, 0))} breaks: ` +
      `${of('lost')} lost, ${of('doubled')} doubled, ${of('wrong')} wrong.`,
    '',
    '| break | times |',
    '| --- | ---: |',
    ...[...kinds]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([kind, list]) => `| ${kind} | ${number.format(list.length)} |`),
    '',
    '| of these | there were |',
    '| --- | ---: |',
    ...[...counts].map(([name, count]) => `| ${name} | ${number.format(count)} |`),
  ];
}
