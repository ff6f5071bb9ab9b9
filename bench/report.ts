import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeMachine, type Machine } from './machine.ts';
import type { RowResult } from './result.ts';
import { tableOf } from './table.ts';

const folder = join(import.meta.dirname, 'results');

/** Writes one JSON file for each row of a whole run, and the table. */
export async function writeResults(
  results: readonly RowResult[],
  seconds: number,
  machine: Machine,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const result of results) {
    const text = JSON.stringify({ ...result, seconds, machine }, null, 2);
    await writeFile(join(folder, `${result.row}.json`), `${text}\n`);
  }
  await writeFile(join(folder, 'README.md'), pageOf(results, seconds, machine));
}

function pageOf(results: readonly RowResult[], seconds: number, machine: Machine): string {
  return `# Results

Written by \`npm run bench\`; [docs/performance.md](../../docs/performance.md) says how it measures.

${tableOf(results)}

- ${describeMachine(machine)}; the gateway, its database, the load generator and the receiver share it.
- ${seconds} s a measurement, each contestant twice, by turns, in one run.
- The load generator took up to ${busiest(results).toFixed(2)} of a core.
`;
}

/** The largest share of a core that the load generator used: near 1 it was the limit, and not the server. */
function busiest(results: readonly RowResult[]): number {
  const figures = results.flatMap(({ cases }) => cases.flatMap((each) => Object.values(each.figures)));
  return Math.max(0, ...figures.map(({ generatorCpu }) => generatorCpu ?? 0));
}
