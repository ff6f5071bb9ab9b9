// `npm run soak`: for half an hour 70 % of the load that the gateway can take, then three times that, and whether all stays as
// it was; needs Linux.
import { describeMachine, readMachine } from '../machine.ts';
import { judge } from './judge.ts';
import { tableOf, writePage } from './page.ts';
import { readSoakOptions } from './schedule.ts';
import { playSoak } from './soak.ts';

const { minutes, write } = readSoakOptions(process.argv.slice(2));
const machine = describeMachine(await readMachine());
console.log(machine);
const begunMs = performance.now();
const seen = await playSoak(minutes, (line) => {
  console.log(`${((performance.now() - begunMs) / 60_000).toFixed(1).padStart(5)} min: ${line}`);
});
const verdicts = judge(seen);
console.log(`\n${tableOf(verdicts)}\n\nThe load took ${seen.rate.cpu.toFixed(2)} of a core.`);
if (write) await writePage(seen, verdicts, machine);
// A run of seconds shows that it works, and judges little.
if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
