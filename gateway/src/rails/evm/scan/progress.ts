import type { Reader } from '../../../kit/db.ts';
import type { RailHealth } from '../../rail.ts';
import { type ChainConfig, railOf } from '../chains.ts';
import type { EndpointReport } from '../endpoints.ts';

/** How far a chain was read, as every process can see it. Seconds and blocks. */
export type Progress = {
  head: bigint;
  headAt: Date;
  finalized: bigint;
  seen: bigint;
  final: bigint;
  /** Null while it keeps up. */
  blocksPerSecond: number | null;
  secondsLeft: number | null;
  /** Why nothing goes on, in words, and since when. */
  fault: { message: string; since: Date } | null;
  endpoint: string | null;
  endpoints: EndpointReport[];
};

type Row = {
  head_number: bigint;
  head_at: Date;
  finalized_number: bigint;
  seen_number: bigint;
  final_number: bigint;
  blocks_per_second: number | null;
  scan_fault: string | null;
  scan_fault_at: Date | null;
  endpoint: string | null;
  endpoints: EndpointReport[];
};

/** What the scanner of a chain last noted of itself; null before its first block. */
export async function progressOf(reader: Reader, chainId: number): Promise<Progress | null> {
  const { rows } = await reader.query<Row>(
    `SELECT head_number, head_at, finalized_number, seen_number, final_number, blocks_per_second, scan_fault,
       scan_fault_at, endpoint, endpoints
     FROM evm_chains WHERE chain_id = $1 AND seen_number IS NOT NULL AND head_number IS NOT NULL`,
    [chainId],
  );
  const row = rows[0];
  if (!row) return null;
  const speed = row.blocks_per_second;
  return {
    head: row.head_number,
    headAt: row.head_at,
    finalized: row.finalized_number,
    seen: row.seen_number,
    final: row.final_number,
    blocksPerSecond: speed,
    secondsLeft: speed ? Math.ceil(numberOfBlocks(row.head_number - row.seen_number) / speed) : null,
    fault:
      row.scan_fault !== null && row.scan_fault_at
        ? { message: row.scan_fault, since: row.scan_fault_at }
        : null,
    endpoint: row.endpoint,
    endpoints: row.endpoints,
  };
}

/** A difference of block numbers: small enough to count with. */
export const numberOfBlocks = (blocks: bigint): number => Number.parseInt(`${blocks}`, 10);

/** A chain that was not heard of for this long is down: this many blocks of it, and no less than these seconds. */
const silentBlocks = 10;
const silentSeconds = 30;
/** What it shows may be this far behind before that is worth a word. */
const behindSeconds = 60;

/** The chain in a line for operators. */
export function healthOf(chain: ChainConfig, progress: Progress | null, now: Date): RailHealth {
  const rail = railOf(chain.id);
  if (!progress) {
    return { rail, chain: chain.name, lastBlock: null, lagSeconds: 0, endpoint: null, status: 'down' };
  }
  const silent = Math.max(0, (now.getTime() - progress.headAt.getTime()) / 1000);
  const isSilent = silent > Math.max(silentSeconds, silentBlocks * chain.blockSeconds);
  const behind = numberOfBlocks(progress.head - progress.seen);
  // A round takes a moment: only what is longer than a block counts.
  const lagSeconds = Math.round(
    Math.max(0, behind) * chain.blockSeconds + (silent > chain.blockSeconds + 5 ? silent : 0),
  );
  const isBehind = lagSeconds > behindSeconds || progress.fault !== null;
  return {
    rail,
    chain: chain.name,
    lastBlock: progress.seen,
    lagSeconds,
    endpoint: progress.endpoint,
    status: isSilent ? 'down' : isBehind ? 'behind' : 'up',
  };
}
