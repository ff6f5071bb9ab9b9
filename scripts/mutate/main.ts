// `npm run mutate`: makes each small wrong change of the list, one at a time and in memory, and runs the nearest tests.
// Arguments choose changes: the begins of their names, or parts of their files' paths (`npm run mutate -- payouts/limits settle`).
import { type Finding, startJudge } from './judge.ts';
import { mutations } from './list/all.ts';
import { type Mutation, testsOf } from './mutation.ts';
import { typeFaults } from './types.ts';
import { readVerdicts, verdictOf, writeVerdicts } from './verdicts.ts';

const filters = process.argv.slice(2);
const isWanted = ({ name, file }: Mutation) =>
  filters.length === 0 || filters.some((part) => name.startsWith(part) || file.includes(part));
const wanted = mutations.filter(isWanted);
const names = mutations.map(({ name }) => name);
const begin = performance.now();

/** Minutes and seconds since the begin. */
function elapsed(): string {
  const seconds = Math.round((performance.now() - begin) / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}

function lineOf({ same }: Mutation, found: Finding): string {
  if (found.state === 'killed') return `killed by ${found.by}`;
  if (found.state === 'not tried') return `NOT TRIED: ${found.why}`;
  return same === undefined ? 'SURVIVED' : `survived, and may: ${same}`;
}

const isGood = ({ same }: Mutation, { state }: Finding): boolean =>
  state === 'killed' || (state === 'survived' && same !== undefined);

async function judgeAll(): Promise<number> {
  const faults = await typeFaults(wanted);
  if (faults.length > 0) {
    console.error(`The type checker refuses some of the changes:\n${faults.join('\n')}`);
    return 1;
  }
  console.log(`${elapsed()}  the type checker accepts all changes`);
  const judge = await startJudge();
  try {
    const failing = await judge.failing([...new Set(wanted.flatMap(testsOf))]);
    if (failing.length > 0) {
      console.error(`These fail without any change:\n${failing.join('\n')}`);
      return 1;
    }
    console.log(`${elapsed()}  all tests pass without a change`);
    const verdicts = await readVerdicts();
    let bad = 0;
    for (const [at, mutation] of wanted.entries()) {
      const found = await judge.judge(mutation);
      if (!isGood(mutation, found)) bad += 1;
      verdicts[mutation.name] = verdictOf(found);
      await writeVerdicts(verdicts, names);
      console.log(`${elapsed()}  ${at + 1}/${wanted.length}  ${mutation.name}: ${lineOf(mutation, found)}`);
    }
    console.log(`\n${elapsed()}  ${wanted.length} changes, ${bad} that no test noticed`);
    return bad === 0 ? 0 : 1;
  } finally {
    await judge.close();
  }
}

process.exitCode = wanted.length === 0 ? 1 : await judgeAll();
if (wanted.length === 0) console.error(`No change is of ${filters.join(' or ')}`);
