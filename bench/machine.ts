import { cpus, totalmem } from 'node:os';
import { withGateway } from './gateway.ts';

export type Machine = { processor: string; cores: number; memoryGib: number; node: string; postgres: string };

/** The machine of the figures, and the version of the gateway's database. */
export async function readMachine(): Promise<Machine> {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: await withGateway(async ({ db }) => {
      const { rows } = await db.query<{ server_version: string }>('SHOW server_version');
      return rows[0]!.server_version;
    }),
  };
}

export function describeMachine({ processor, cores, memoryGib, node, postgres }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGib} GiB, Node ${node}, PostgreSQL ${postgres} with fsync on`;
}
