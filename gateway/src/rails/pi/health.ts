import type { Reader } from '../../kit/db/db.ts';
import { decimalOf } from '../../money/money.ts';
import { smallNumber } from '../../money/small-number.ts';
import type { EndpointReport, RailFault, RailFaultCode, RailHealth } from '../health.ts';
import { type PiConfig, piCodeOf, piScale } from './horizon/network.ts';
import { alarmingComparisons } from './read/compare.ts';

type AccountRow = {
  cursor: bigint | null;
  read_at: Date | null;
  ledger: bigint | null;
  head: bigint | null;
  head_closed_at: Date | null;
  fault_code: RailFaultCode | null;
  fault: string | null;
  difference: bigint | null;
  differing_looks: number;
  endpoint: string | null;
  endpoints: EndpointReport[];
  unreported: number;
};

/** The newest ledger may be this old without a fault: one closes every five seconds, and is read every fifteen. */
const usualSeconds = 30;
const behindSeconds = 60;
const ledgerSeconds = 5;
const unreportedAtMost = 1_000;

/**
 * The health of the reading of the custody account: every process of the installation reports the same. `others`:
 * further faults to report with it.
 */
export async function piHealth(
  reader: Reader,
  pi: PiConfig,
  now: Date,
  others: readonly RailFault[] = [],
): Promise<RailHealth> {
  const { rows } = await reader.query<AccountRow>(
    `SELECT cursor, read_at, ledger, head, head_closed_at, fault_code, fault, endpoint, endpoints,
       difference, differing_looks,
       (SELECT count(*)::integer FROM (
          SELECT FROM pi_records WHERE is_test = $4 AND reported_state IS DISTINCT FROM state AND report_faults > 0 LIMIT $3) u) AS unreported
     FROM pi_accounts WHERE passphrase = $1 AND account = $2`,
    [pi.passphrase, pi.account, unreportedAtMost, pi.isTest ?? false],
  );
  const row = rows[0];
  const { ledger = null, head = null } = row ?? {};
  const blocksBehind = head !== null && ledger !== null && head > ledger ? smallNumber(head - ledger) : 0;
  const lagSeconds = Math.max(
    lagOf(row?.head_closed_at, now),
    lagOf(row?.read_at, now),
    blocksBehind * ledgerSeconds,
  );
  const faults = row ? faultsOf(row) : [notScanned];
  const isBehind = lagSeconds > behindSeconds || (row?.fault_code ?? null) !== null;
  return {
    rail: piCodeOf(pi),
    chain: pi.passphrase,
    lastBlock: ledger,
    lagSeconds,
    endpoint: row?.endpoint ?? null,
    status: isDown(row, now) ? 'down' : isBehind ? 'behind' : 'up',
    faults: [...faults, ...others],
    scan: {
      head,
      final: ledger,
      blocksBehind,
      blocksPerSecond: null,
      secondsLeft: null,
      caughtUp: null,
      endpoints: row?.endpoints ?? [],
    },
  };
}

const notScanned: RailFault = { code: 'not_scanned', message: 'No process has read the account yet.' };

const ageOf = (moment: Date, now: Date): number => Math.round((now.getTime() - moment.getTime()) / 1000);

function lagOf(moment: Date | null | undefined, now: Date): number {
  const age = moment ? ageOf(moment, now) : 0;
  return age > usualSeconds ? age : 0;
}

const isDown = (row: AccountRow | undefined, now: Date): boolean =>
  !row?.read_at || ageOf(row.read_at, now) > behindSeconds;

function faultsOf(row: AccountRow): RailFault[] {
  const faults: RailFault[] = [];
  if (row.fault_code !== null) faults.push({ code: row.fault_code, message: row.fault ?? '' });
  else if (row.cursor === null) faults.push(notScanned);
  for (const { name, state, fault } of row.endpoints) {
    if (state === 'wrong_chain')
      faults.push({ code: 'wrong_chain', message: `${name} ${fault ?? ''}`.trim() });
  }
  if (row.unreported > 0) {
    const many = row.unreported === unreportedAtMost ? `${unreportedAtMost} or more` : `${row.unreported}`;
    faults.push({ code: 'not_credited', message: `Movements that are not booked: ${many}.` });
  }
  if (row.difference !== null && row.differing_looks >= alarmingComparisons) {
    faults.push({ code: 'out_of_balance', message: describeDifference(row.difference, row.endpoint) });
  }
  return faults;
}

function describeDifference(difference: bigint, endpoint: string | null): string {
  const [units, side] = difference < 0n ? [-difference, 'less'] : [difference, 'more'];
  return `The account holds ${decimalOf(units, piScale)} PI ${side} than the movements that were read come to, as ${endpoint} has it.`;
}
