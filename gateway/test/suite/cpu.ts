import { appendFileSync, readdirSync, readFileSync } from 'node:fs';

/** Names the file to which each test file, and what all of them share, writes what it took: a line of JSON (`Cpu`). */
export const cpuFileVariable = 'FLORIN_TEST_CPU';

/** What a test file took with all that it started, or what something did that all of them share. */
export type Cpu = { of: string; ms: number };

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
  const below = (parent: number): number =>
    (children.get(parent) ?? []).reduce((sum, { pid, ms }) => sum + ms + below(pid), 0);
  return (processes.find(({ pid }) => pid === root)?.ms ?? 0) + below(root);
}

/** The CPU time of a process and of everything that it started, so far; undefined where there is no `/proc`. */
export function cpuMs(root = process.pid): number | undefined {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const processes = pids.flatMap((pid) => {
      const found = readStat(pid);
      return found ? [found] : [];
    });
    return treeMs(processes, root);
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

/** Notes what something took, if this run counts and `ms` is known. */
export function noteCpu(of: string, ms: number | undefined): void {
  const place = process.env[cpuFileVariable];
  if (!place || ms === undefined) return;
  const line: Cpu = { of, ms };
  appendFileSync(place, `${JSON.stringify(line)}\n`);
}

// Where the last file of this worker ended, the next one begins: to look at all processes takes some milliseconds.
let counted: number | undefined;

/** Begins to count for a test file. Returns what notes the count when the file has ended. */
export function countCpu(file: string): () => void {
  if (!process.env[cpuFileVariable]) return () => {};
  const before = counted ?? cpuMs();
  return () => {
    counted = cpuMs();
    if (before !== undefined && counted !== undefined) noteCpu(file, counted - before);
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * What a run took of the processors, in lines for people: all processes together, and the ten dearest. Each part is
 * counted while it runs: of a process that outlived the one that started it nothing would be known at the end.
 */
export function cpuLines(parts: readonly Cpu[]): string[] {
  if (parts.length === 0) return [];
  const dearest = [...parts].sort((a, b) => b.ms - a.ms).slice(0, 10);
  return [
    `CPU of all processes: ${seconds(parts.reduce((sum, { ms }) => sum + ms, 0))}. The dearest:`,
    ...dearest.map(({ of, ms }) => `  ${seconds(ms).padStart(8)}  ${of}`),
  ];
}
