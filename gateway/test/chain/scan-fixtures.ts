import type { Logger } from 'pino';
import { afterCommit, type Database, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { makeAddresses } from '../../src/rails/evm/addresses/addresses.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import { createEndpoints, type Endpoints } from '../../src/rails/evm/rpc/endpoints.ts';
import { createScanner, type Scanner } from '../../src/rails/evm/scan/scanner.ts';
import type { Move } from '../../src/rails/move.ts';
import type { Arrival } from '../../src/rails/owner.ts';
import type { Observation, Sweep } from '../../src/rails/rail.ts';
import { expireLeases } from '../support/database.ts';
import { silentLog, type TestClock, testClock } from '../support/fixtures.ts';
import { takeEach } from '../support/take-each.ts';
import type { TestChain } from './chain.ts';

export type ScanSetting = {
  config?: Partial<ChainConfig>;
  /** Addresses of the endpoints; the chain itself by default. */
  rpcUrls?: string[];
  endpoints?: Endpoints;
  db?: Database;
  clock?: TestClock;
  log?: Logger;
};

/** A scanner on a real chain, and what it reported of payments. */
export type Scan = {
  chain: ChainConfig;
  endpoints: Endpoints;
  clock: TestClock;
  scanner: Scanner;
  /** Everything that was reported and committed, in order. */
  reported: Observation[];
  swept: Sweep[];
  moved: Move[];
  arrived: Arrival[];
  /** Called instead of noting what was reported, where a test wants a report to fail. */
  onReport: ((seen: Observation) => void) | null;
  /** A payment with an address on the chain. */
  pay(): Promise<{ id: string; address: Hex }>;
  /** What was reported last of each transfer, as `state confirmations units`, in the order of their first sight. */
  standing(paymentId?: string): string[];
  tick(times?: number): Promise<void>;
  /** Another scanner, as after a crash of this one's process: its lease has run out. */
  restart(): Promise<void>;
};

export async function openScan(db: Database, local: TestChain, setting: ScanSetting = {}): Promise<Scan> {
  const { clock = testClock(new Date()), rpcUrls = [local.rpcUrl], log = silentLog } = setting;
  // Blocks of the tests before are not read again. So many are, that a reorg finds what it goes back to.
  const startBlock = Math.max(0, Number(await local.client.getBlockNumber()) - 20);
  const chain = local.config({ rpcUrls, startBlock, ...setting.config });
  // By the clock of the test every answer takes no time: the first endpoint reads all, however busy the machine is.
  const endpoints = setting.endpoints ?? createEndpoints({ chain, nowMs: () => clock.now().getTime() });
  const reported: Observation[] = [];
  const swept: Sweep[] = [];
  const moved: Move[] = [];
  const arrived: Arrival[] = [];
  const make = () =>
    createScanner({
      db: setting.db ?? db,
      chain,
      endpoints,
      take: takeEach({
        async transfer(tx, seen) {
          scan.onReport?.(seen);
          afterCommit(tx, () => reported.push(seen));
        },
        arrival: async (tx, arrival) => afterCommit(tx, () => arrived.push(arrival)),
        sweep: async (tx, sweep) => afterCommit(tx, () => swept.push(sweep)),
        move: async (tx, move) => afterCommit(tx, () => moved.push(move)),
      }),
      now: clock.now,
      log,
    });
  const scan: Scan = {
    chain,
    endpoints,
    clock,
    scanner: make(),
    reported,
    swept,
    moved,
    arrived,
    onReport: null,
    async pay() {
      const id = newId();
      await transaction(db, (tx) => makeAddresses(tx, [chain], [id], clock.now()));
      const { rows } = await db.query<{ address: Hex }>(
        'SELECT address FROM evm_addresses WHERE owner_id = $1',
        [id],
      );
      return { id, address: rows[0]!.address };
    },
    standing(paymentId) {
      const last = new Map<string, string>();
      for (const each of reported) {
        if (paymentId !== undefined && each.paymentId !== paymentId) continue;
        last.set(each.key, `${each.state} ${each.confirmations} ${each.units}`);
      }
      return [...last.values()];
    },
    async tick(times = 1) {
      for (let count = 0; count < times; count++) await scan.scanner.tick();
    },
    async restart() {
      await expireLeases(db);
      scan.scanner = make();
    },
  };
  return scan;
}
