import { readdir, readFile } from 'node:fs/promises';
import type { CpuUs, Figure } from './result.ts';

/** The processes whose time is counted: the gateway's or a yardstick's, and the server's of its database. */
export type Processes = { gateway: number; postmaster: number };

/** CPU time in microseconds since the processes began. */
type Used = CpuUs;

// Linux reports to programs in hundredths of a second.
const tickUs = 10_000;

/** Adds the CPU time of each operation to a measurement, where the system reports it. */
export async function withCpu(
  processes: Processes,
  measure: () => Promise<{ figure: Figure; count: number }>,
): Promise<Figure> {
  const before = await readUsed(processes);
  const { figure, count } = await measure();
  const after = await readUsed(processes);
  if (!before || !after || count === 0) return figure;
  return {
    ...figure,
    cpuUs: {
      gateway: (after.gateway - before.gateway) / count,
      postgres: (after.postgres - before.postgres) / count,
    },
  };
}

/** Null on systems without `/proc`. */
async function readUsed({ gateway, postmaster }: Processes): Promise<Used | null> {
  const names = await readdir('/proc').catch(() => []);
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readStat));
  const stats = all.filter((stat) => stat !== null);
  const own = stats.find(({ pid }) => pid === gateway);
  const server = stats.find(({ pid }) => pid === postmaster);
  if (!own || !server) return null;
  const backends = stats.filter(({ parent }) => parent === postmaster);
  return {
    gateway: own.ticks * tickUs,
    // The time of backends that ended is counted with the postmaster, which waited for them.
    postgres: backends.reduce((sum, { ticks }) => sum + ticks, server.ticks + server.endedTicks) * tickUs,
  };
}

type Stat = { pid: number; parent: number; ticks: number; endedTicks: number };

async function readStat(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name is in brackets and may hold any characters; the state is the first field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]));
  return {
    pid: Number(pid),
    parent: parent ?? 0,
    ticks: (user ?? 0) + (system ?? 0),
    endedTicks: (endedUser ?? 0) + (endedSystem ?? 0),
  };
}
