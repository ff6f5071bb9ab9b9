// `npm run bench`: every row beside its yardsticks, on this machine.
import { describeMachine, readMachine } from './machine.ts';
import { readOptions } from './options.ts';
import { writeResults } from './report.ts';
import type { RowResult } from './result.ts';
import { rows } from './rows.ts';
import { tableOf } from './table.ts';

const options = readOptions(process.argv.slice(2));
const machine = await readMachine();
console.log(describeMachine(machine));
const results: RowResult[] = [];
for (const name of options.rows) {
  console.log(`${name} ...`);
  const progress = (line: string): void => console.log(`  ${line}`);
  results.push(await rows[name]({ ...options, progress }));
}
console.log(`\n${tableOf(results)}`);
if (options.write) await writeResults(results, options.seconds, machine);
