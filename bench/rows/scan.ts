import { createHistogram } from 'node:perf_hooks';
import type { Database } from '../../gateway/src/kit/db.ts';
import type { ChainConfig } from '../../gateway/src/rails/evm/chains.ts';
import { createEndpoints } from '../../gateway/src/rails/evm/endpoints.ts';
import { createScanner } from '../../gateway/src/rails/evm/scanner.ts';
import { silentLog } from '../../gateway/test/fixtures.ts';
import { type Contestant, runContest } from '../contest.ts';
import type { RowOptions } from '../http-row.ts';
import type { Case, Figure, RowResult } from '../result.ts';
import { ours, readLogs, type ScanRig, transfers, transferTopic, withScanRig } from '../scan-rig.ts';

/** Few enough for the node to be asked for them alone, more, many, and very many. */
const openPayments = [1_000, 10_000, 100_000, 1_000_000];
/** A run that is only to see that it works takes no time to fill tables. */
const shortSeconds = 1;
const warmUpSeconds = 1;
/** The node's own time may be two thirds of the gateway's, and 10,000 payments 1.3 times as fast as a million. */
const aims = { node: 1 / 1.5, flat: 1 / 1.3 };

/** A measurement of so many seconds. */
type Measure = (seconds: number) => Promise<Figure>;

/** Blocks scanned a second, each in a round of its own: read, matched, noted; beside the node's bare answer. */
export async function scan({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withScanRig(async (rig) => {
    const counts = seconds < shortSeconds ? openPayments.slice(0, 2) : openPayments;
    const cases: Case[] = [];
    let baseline: [string, Measure] | undefined;
    for (const count of counts) {
      const db = await rig.openPayments(count);
      const isFiltered = count === openPayments[0];
      const topics = isFiltered ? await watchedTopics(db) : [transferTopic];
      const gateway = scanning(rig, db);
      const measures = new Map<string, Measure>([
        ['gateway', gateway],
        ['node alone', (each) => repeat(each, () => timed(() => readLogs(rig, topics)))],
      ]);
      const isLast = count === counts.at(-1);
      if (isLast && baseline) measures.set(...baseline);
      if (!isFiltered) baseline ??= [`gateway, ${count} open`, gateway];
      const contestants = [...measures].map(([name, measure]) => ({ name, measure: () => measure(seconds) }));
      const row = await runContest(
        {
          name: `${transfers} transfers, ${count} open`,
          contestants: contestants as [Contestant, ...Contestant[]],
          aims: Object.fromEntries([...measures.keys()].slice(1).map((name) => [name, aimOf(name)])),
          warmUp: ({ name }) => measures.get(name)!(Math.min(seconds, warmUpSeconds)),
        },
        progress,
      );
      cases.push(row);
    }
    return { row: 'scan', title: 'Blocks scanned', cases };
  });
}

const aimOf = (yardstick: string): number => (yardstick === 'node alone' ? aims.node : aims.flat);

/** The topics by which the node is asked while few payments are watched. */
async function watchedTopics(db: Database): Promise<unknown[]> {
  const { rows } = await db.query<{ address: string }>('SELECT address FROM evm_addresses');
  return [transferTopic, null, rows.map(({ address }) => `0x${'0'.repeat(24)}${address.slice(2)}`)];
}

/** A scanner that reads the same block over and over. Nothing becomes final: that is a second reading. */
function scanning(rig: ScanRig, db: Database): Measure {
  const { block, chainId, rpcUrl, token } = rig;
  const chain: ChainConfig = {
    id: chainId,
    name: 'Local',
    rpcUrls: [rpcUrl],
    finality: 'confirmations',
    confirmations: 100,
    blockSeconds: 1,
    startBlock: block.number,
    receiving: { kind: 'forwarder', treasury: `0x${'0'.repeat(38)}01` },
    tokens: [{ asset: 'usdc-bep20', address: token, scale: 18, symbol: 'USDC' }],
    nativeSymbol: 'ETH',
    nativeUsd: null,
    publicRpcUrl: null,
    explorer: null,
    sweep: { gasKeyFile: null, everySeconds: 3600, worth: 20, maxGasPriceGwei: 200 },
  };
  const scanner = createScanner({
    db,
    chain,
    endpoints: createEndpoints({ chain }),
    report: async () => {},
    reportSweep: async () => {},
    now: () => new Date(),
    log: silentLog,
  });
  return (seconds) =>
    repeat(seconds, async () => {
      await forget(db);
      const tookMs = await timed(() => scanner.tick());
      await requireFound(db);
      return tookMs;
    });
}

/** Puts the scan back before the block. */
async function forget(db: Database): Promise<void> {
  await db.query('DELETE FROM evm_transfers');
  await db.query('DELETE FROM evm_blocks WHERE number > (SELECT start_number FROM evm_chains)');
  await db.query(
    `UPDATE evm_chains SET seen_number = start_number, seen_hash = b.hash FROM evm_blocks b
     WHERE b.number = start_number`,
  );
}

async function requireFound(db: Database): Promise<void> {
  const { rowCount } = await db.query("SELECT FROM evm_transfers WHERE reported_state = 'seen'");
  if (rowCount !== ours) throw new Error(`Of ${ours} transfers to payments ${rowCount} were found`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Works one after the other until they have taken so long; what lies between them does not count. */
async function repeat(seconds: number, work: () => Promise<number>): Promise<Figure> {
  const tookMs = createHistogram();
  let totalMs = 0;
  while (totalMs < seconds * 1000) {
    const each = await work();
    totalMs += each;
    tookMs.record(Math.max(1, Math.round(each * 1000)));
  }
  return {
    perSecond: (tookMs.count * 1000) / totalMs,
    p50Ms: tookMs.percentile(50) / 1000,
    p99Ms: tookMs.percentile(99) / 1000,
    generatorCpu: null,
  };
}
