import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { table } from '../../scripts/markdown-table.ts';
import { drawCurves, panelsOf } from './curves.ts';
import type { Seen, Verdict } from './judge.ts';

const docs = join(import.meta.dirname, '../../docs');
const [start, end] = ['<!-- soak -->', '<!-- /soak -->'];

/** The verdicts as a table. */
export const tableOf = (verdicts: readonly Verdict[]): string =>
  table(
    ['what', 'rule', 'found', 'held'],
    verdicts.map(({ what, rule, found, isMet }) => [what, rule, found, isMet ? 'yes' : '**no**']),
  );

/** Writes the run into docs/performance.md, and its curves beside it. */
export async function writePage(seen: Seen, verdicts: readonly Verdict[], machine: string): Promise<void> {
  const { schedule, limit } = seen;
  const panels = panelsOf(seen);
  const overload = { from: schedule.usualEnds / 60, to: schedule.overloadEnds / 60 };
  for (const look of ['light', 'dark'] as const)
    await writeFile(join(docs, `images/soak-${look}.svg`), drawCurves(panels, look, overload));
  const minutes = (seconds: number): string => `${Number((seconds / 60).toFixed(1))} minutes`;
  const told = [
    `Measured on ${new Date().toISOString().slice(0, 10)} on ${machine}; the load and the receiver share it. The limit was ${Math.round(limit).toLocaleString('en')} whole lives a second.`,
    `${minutes(schedule.usualEnds)} at 70 % of it, ${minutes(schedule.overloadEnds - schedule.usualEnds)} at three times that (shaded), and ${minutes(schedule.afterEnds - schedule.overloadEnds)} as before:`,
  ].join('\n');
  const picture =
    '![Curves over the time of the soak: payments a second, times, memory, open files, tables, WAL and dead rows](images/soak-light.svg)';
  const file = join(docs, 'performance.md');
  const text = await readFile(file, 'utf8');
  const [before, rest] = text.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`${file} has no part between ${start} and ${end}`);
  await writeFile(
    file,
    `${before}${start}\n\n${told}\n\n${picture}\n\n${tableOf(verdicts)}\n\n${end}${after}`,
  );
}
