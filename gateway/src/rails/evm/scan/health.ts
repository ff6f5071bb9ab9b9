import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { smallNumber } from '../../../money/small-number.ts';
import type { EndpointReport, RailFault, RailHealth, ScanHealth } from '../../health.ts';
import { type ChainConfig, railOf } from '../config/chains.ts';
import type { StoredUnconfirmed } from './blocks/unconfirmed.ts';

type ChainRow = {
  verified_at: Date | null;
  faults: RailFault[];
  start_number: bigint | null;
  seen_number: bigint | null;
  final_number: bigint | null;
  head_number: bigint | null;
  head_at: Date | null;
  blocks_per_second: number | null;
  catch_up_from: bigint | null;
  scan_fault: string | null;
  head_fault: string | null;
  unconfirmed: StoredUnconfirmed[];
  endpoint: string | null;
  endpoints: EndpointReport[];
  sender_faults: string[] | null;
  blocks_left_out: bigint[] | null;
  missed_at: Date | null;
  second_stands_at: bigint | null;
  blocks_unclear: bigint[] | null;
  blocks_in_part: bigint[] | null;
};

const behindSeconds = 60;
/** A scan that learned no head for the time of this many blocks, and at least this many seconds, is down. */
const silentBlocks = 10;
const silentSeconds = 30;
const blocksShown = 5;
/** What a second reading found is shown for so long. */
const missedSeconds = 86_400;
/** Longer than a second reading waits until it is due, and an hour to read. */
const overdueSeconds = 2 * 3_600;
/** For how long operators are shown what was credited in part. */
const inPartSeconds = 3 * 86_400;

/**
 * The health of a chain's scan, as the process that scans it noted it: every process of the installation shows the
 * same.
 */
export async function chainHealth(reader: Reader, chain: ChainConfig, now: Date): Promise<RailHealth> {
  const { rows } = await reader.query<ChainRow>(
    `SELECT verified_at, faults, start_number, seen_number, final_number, head_number, head_at,
       blocks_per_second, catch_up_from, scan_fault, endpoint, endpoints,
       head_fault, unconfirmed,
       (SELECT s.faults FROM evm_senders s WHERE s.chain_id = c.chain_id) AS sender_faults,
       (SELECT array_agg(r.block_number ORDER BY r.block_number) FROM evm_rechecks r
        WHERE r.chain_id = c.chain_id AND r.block_number <= c.final_number AND (r.due_at > $2 OR r.tries > 0)
          AND NOT r.block_number = ANY (coalesce(u.blocks, '{}'))) AS blocks_left_out,
       u.blocks AS blocks_unclear,
       (SELECT array_agg(DISTINCT t.block_number) FROM evm_transfers t
        WHERE t.chain_id = c.chain_id AND t.logged_units IS NOT NULL AND t.state = 'final' AND t.seen_at > $5
       ) AS blocks_in_part,
       (SELECT max(s.missed_at) FROM evm_second_readings s
        WHERE s.chain_id = c.chain_id AND s.missed_at > $3) AS missed_at,
       (SELECT min(s.number) FROM evm_second_readings s
        WHERE s.chain_id = c.chain_id AND s.target_at < $4) AS second_stands_at
     FROM evm_chains c CROSS JOIN LATERAL (
       SELECT array_agg(DISTINCT t.block_number) AS blocks FROM evm_transfers t
       WHERE t.chain_id = c.chain_id AND t.state = 'seen' AND t.block_number <= c.final_number
     ) u WHERE chain_id = $1`,
    [chain.id, now, after(now, -missedSeconds), after(now, -overdueSeconds), after(now, -inPartSeconds)],
  );
  const row = rows[0];
  const scan = scanOf(row);
  const silent = row?.head_at ? Math.max(0, (now.getTime() - row.head_at.getTime()) / 1000) : null;
  const isSilent = silent === null || silent > Math.max(silentSeconds, silentBlocks * chain.blockSeconds);
  const lagSeconds = scan.blocksBehind * chain.blockSeconds + (isSilent ? (silent ?? 0) : 0);
  const isBehind = lagSeconds > behindSeconds || (row?.scan_fault ?? null) !== null;
  return {
    rail: railOf(chain.id),
    chain: chain.name,
    lastBlock: row?.seen_number ?? null,
    lagSeconds: Math.round(lagSeconds),
    endpoint: row?.endpoint ?? null,
    status: isSilent ? 'down' : isBehind ? 'behind' : 'up',
    faults: row ? faultsOf(row, isSilent) : [notScanned],
    scan,
  };
}

const notScanned: RailFault = { code: 'not_scanned', message: 'No process has read the chain yet.' };

function scanOf(row: ChainRow | undefined): ScanHealth {
  const { head_number: head = null, seen_number: seen = null, blocks_per_second: speed = null } = row ?? {};
  const from = row?.catch_up_from ?? null;
  const blocksBehind = head !== null && seen !== null && head > seen ? smallNumber(head - seen) : 0;
  return {
    head,
    final: row?.final_number ?? null,
    blocksBehind,
    blocksPerSecond: speed,
    secondsLeft: speed !== null && speed > 0 ? Math.ceil(blocksBehind / speed) : null,
    caughtUp:
      from !== null && head !== null && seen !== null && head > from ? share(seen - from, head - from) : null,
    endpoints: row?.endpoints ?? [],
  };
}

function faultsOf(row: ChainRow, isSilent: boolean): RailFault[] {
  const faults: RailFault[] = [];
  if (isSilent) {
    const why = row.scan_fault ?? row.endpoints.find(({ fault }) => fault !== null)?.fault;
    faults.push({ code: 'no_endpoint', message: why ?? 'No endpoint answers.' });
  } else if (row.scan_fault !== null) {
    faults.push({ code: 'stalled', message: row.scan_fault });
  } else if (row.final_number === null) {
    faults.push({
      code: 'not_scanned',
      message: 'The chain has not reached the block where its scan begins.',
    });
  }
  for (const { name, state, fault } of row.endpoints) {
    if (state === 'wrong_chain')
      faults.push({ code: 'wrong_chain', message: `${name} ${fault ?? ''}`.trim() });
  }
  if (row.verified_at === null && row.faults.length === 0) {
    faults.push({ code: 'not_verified', message: 'The contracts have not been checked yet.' });
  }
  if (row.head_fault !== null) faults.push({ code: 'doubtful_head', message: row.head_fault });
  faults.push(...row.unconfirmed.map(notConfirmed));
  for (const [blocks, how] of [
    [row.blocks_left_out, 'are not credited'],
    [row.blocks_unclear, 'stay pending: endpoints do not confirm that their addresses hold the money'],
    [row.blocks_in_part, 'are credited in part: their addresses hold less than the logs say'],
  ] as const) {
    if (blocks) faults.push(notCredited(blocks, how));
  }
  faults.push(...secondFaultsOf(row));
  const sweeping = (row.sender_faults ?? []).map((message) => ({ code: 'sweeping' as const, message }));
  return [...faults, ...row.faults, ...sweeping];
}

function secondFaultsOf({ missed_at: missed, second_stands_at: stands }: ChainRow): RailFault[] {
  const messages: string[] = [];
  if (missed) {
    messages.push(
      `The second reading found transfers that endpoints had left out, last at ${missed.toISOString()}.`,
    );
  }
  if (stands !== null) messages.push(`The second reading makes no progress after block ${stands}.`);
  return messages.map((message) => ({ code: 'second_reading', message }));
}

function notConfirmed({ after, to, endpoint, disputed }: StoredUnconfirmed): RailFault {
  const why = disputed ? 'another one shows something else' : 'no other one answered';
  const message = `Blocks ${after + 1} to ${to} are booked and only ${endpoint} has shown them: ${why}.`;
  return { code: 'unconfirmed', message };
}

function notCredited(blocks: readonly bigint[], how: string): RailFault {
  const shown = blocks.slice(0, blocksShown).join(', ');
  const message = `Transfers of block ${shown}${blocks.length > blocksShown ? ' and others' : ''} ${how}.`;
  return { code: 'not_credited', message };
}

const share = (part: bigint, whole: bigint): number =>
  Math.max(0, smallNumber((part * 1000n) / whole) / 1000);
