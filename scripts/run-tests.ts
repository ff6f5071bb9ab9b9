import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cpu, cpuFileVariable } from '../gateway/test/suite/cpu.ts';
import { root, run } from './programs.ts';
import { countTests, notRun, type Tally } from './tally.ts';

type Tests = Tally & { notRun: string[]; cpu: Cpu[] };

/** Runs vitest with these arguments: how many tests passed and failed, which were not run, and what they cost. */
export async function runTests(args: string[], env: Record<string, string>): Promise<Tests> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-tests-'));
  const report = join(directory, 'report.json');
  const cpuFile = join(directory, 'cpu.jsonl');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { succeeded } = await run('vitest', ['run', ...reporters, ...args], {
      ...env,
      [cpuFileVariable]: cpuFile,
    });
    const written = await readFile(report, 'utf8').catch(() => undefined);
    const counted = await readFile(cpuFile, 'utf8').catch(() => '');
    const cpu = counted.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Cpu] : []));
    return { ...countTests(written, succeeded), notRun: notRun(written, root), cpu };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
