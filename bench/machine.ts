import { execFile } from 'node:child_process';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresBinaries } from '../gateway/src/kit/postgres/postgres-binaries.ts';

export type Machine = { processor: string; cores: number; memoryGib: number; node: string; postgres: string };

/** The machine of the figures, and the version of the embedded database. */
export async function readMachine(): Promise<Machine> {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: await postgresVersion(),
  };
}

/** As the program says it: `postgres (PostgreSQL) 18.4`. */
async function postgresVersion(): Promise<string> {
  const { directory } = await postgresBinaries(join(tmpdir(), 'florin-bench'), false);
  const { stdout } = await promisify(execFile)(join(directory, 'postgres'), ['--version']);
  return stdout.trim().split(' ').at(-1) ?? '';
}

export function describeMachine({ processor, cores, memoryGib, node, postgres }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGib} GiB, Node ${node}, PostgreSQL ${postgres} with fsync on`;
}
