import { appendFileSync, readdirSync, readFileSync } from 'node:fs';

/** Names the file to which each test file writes what it took, a line of JSON (`FileCpu`). */
export const cpuFileVariable = 'FLORIN_TEST_CPU';

export type FileCpu = { file: string; ms: number };

type Process = { pid: number; parent: number; ms: number };

// Linux counts in hundredths of a second, on every machine that Node runs on.
const tickMs = 10;

/** One line of `/proc/<pid>/stat`: CPU time of the process, and of its children that ended and were waited for. */
export function parseStat(line: string): Process | undefined {
  // The name of the program stands in brackets, and may hold blanks and brackets.
  const rest = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const pid = Number.parseInt(line, 10);
  const parent = Number(rest[1]);
  const ticks = rest.slice(11, 15).map(Number);
  if (ticks.length < 4 || ![pid, parent, ...ticks].every(Number.isInteger)) return undefined;
  return { pid, parent, ms: ticks.reduce((sum, each) => sum + each, 0) * tickMs };
}

/** The CPU time of a process and of everything below it, in milliseconds. */
export function treeMs(processes: readonly Process[], root: number): number {
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const own = processes.find(({ pid }) => pid === root)?.ms ?? 0;
  return (children.get(root) ?? []).reduce((sum, { pid }) => sum + treeMs(processes, pid), own);
}

/** The CPU time of this process and of everything that it started, so far; undefined where there is no `/proc`. */
export function cpuMs(): number | undefined {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const processes = pids.flatMap((pid) => {
      const found = readStat(pid);
      return found ? [found] : [];
    });
    return treeMs(processes, process.pid);
  } catch {
    return undefined;
  }
}

// It may have ended since its name was read.
function readStat(pid: string): Process | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Begins to count for a test file. Returns what notes the count when the file has ended. */
export function countCpu(file: string): () => void {
  const place = process.env[cpuFileVariable];
  const before = place ? cpuMs() : undefined;
  return () => {
    const after = before === undefined ? undefined : cpuMs();
    if (!place || before === undefined || after === undefined) return;
    const line: FileCpu = { file, ms: after - before };
    appendFileSync(place, `${JSON.stringify(line)}\n`);
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** What a run took of the processors, in lines for people: all processes together, and the ten dearest test files. */
export function cpuLines(total: number | undefined, files: readonly FileCpu[]): string[] {
  if (total === undefined) return [];
  const dearest = [...files].sort((a, b) => b.ms - a.ms).slice(0, 10);
  return [
    `CPU of all processes: ${seconds(total)}${dearest.length > 0 ? '. The dearest test files, without the shared database server:' : ''}`,
    ...dearest.map(({ file, ms }) => `  ${seconds(ms).padStart(8)}  ${file}`),
  ];
}
