import { ConfigError } from '../../config/config.ts';
import { ChainNotInstalled } from '../../demo/chain/program.ts';
import { PoolerBetween } from '../../kit/db/direct.ts';
import { NewerDatabase } from '../../kit/db/migrate.ts';
import { EmbeddedInUse } from '../../kit/postgres/embedded-postgres.ts';
import { NotServed } from '../../operations/moves/moves.ts';
import { StartFault } from './places.ts';

/** Why a worker process could not start, as a text for people. */
export class WorkerFault extends Error {}

/** Faults whose message says what is wrong and what to do. */
const startFaults = [StartFault, NewerDatabase, NotServed, PoolerBetween];

/** Where people who read that a gateway did not start are led. */
const more = 'florin doctor says more.';

/** Why a gateway did not start, and what says more. */
export function explain(error: unknown): string {
  // A worker process has explained it already.
  if (error instanceof WorkerFault) return error.message;
  return `${reasonOf(error)}\n${more}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) {
    const faults = error.faults.map((fault) => `  ${fault}`).join('\n');
    return `Florin cannot start: the configuration has faults.\n${faults}\nSee florin config --help.`;
  }
  if (error instanceof EmbeddedInUse || error instanceof ChainNotInstalled) return error.message;
  if (error instanceof Error && startFaults.some((Fault) => error instanceof Fault))
    return `Florin cannot start: ${error.message}`;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Florin cannot start: port ${port} is in use by another program.`;
  return `Florin cannot start: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}
