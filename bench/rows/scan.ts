import { createHistogram } from 'node:perf_hooks';
import { type Database, transaction } from '../../gateway/src/kit/db/db.ts';
import { forgetLeases } from '../../gateway/src/kit/db/lease.ts';
import type { ChainConfig } from '../../gateway/src/rails/evm/config/chains.ts';
import { createEndpoints } from '../../gateway/src/rails/evm/rpc/endpoints.ts';
import { createScanner } from '../../gateway/src/rails/evm/scan/scanner.ts';
import { silentLog } from '../../gateway/test/support/fixtures.ts';
import { type Contest, type Contestant, runContest } from '../contest.ts';
import { isShort, type RowOptions } from '../http-row.ts';
import type { Case, Figure, RowResult } from '../result.ts';
import { ours, readLogs, type ScanRig, withScanRig } from '../scan-rig.ts';

/**
 * With the first number the node is asked for the payments' own transfers, with the larger ones for all transfers: from the
 * second on a round does the same work whatever the number.
 */
const openPayments = [1_000, 10_000, 100_000, 1_000_000] as const;
const warmUpSeconds = 1;
const transfersOfBlock = 3_000;
/** The node's bare answer may take two thirds of the time; a scan may take 1.3 times as long as with few payments. */
const aims = { node: 0.67, flat: 0.77 };

/** Measures for a number of seconds. */
type Measure = (seconds: number) => Promise<Figure>;

/** Blocks scanned per second: read, matched with all payments and noted; beside the node's bare answer. */
export async function scan({ seconds, progress }: RowOptions): Promise<RowResult> {
  const transfers = isShort(seconds) ? 300 : transfersOfBlock;
  return await withScanRig(transfers, async (rig) => {
    const counts = isShort(seconds) ? openPayments.slice(0, 1) : openPayments;
    const cases: Case[] = [];
    let few: Measure | undefined;
    for (const count of counts) {
      const db = await rig.openPayments(count);
      const shown = count.toLocaleString('en');
      for (const blocks of [1, 10]) {
        const gateway = await scanning(rig, db, blocks);
        const node: Measure = (each) => repeat(each, blocks, () => timed(() => readLogs(rig, blocks)));
        const measures = new Map([
          ['gateway', gateway],
          ['node alone', node],
        ]);
        if (few && blocks > 1) measures.set('with 10,000 open', few);
        const name = `${blocks} at a time, ${shown} open`;
        cases.push(await runContest(contestOf(name, measures, seconds), progress));
        if (count === openPayments[1] && blocks > 1) few = gateway;
      }
    }
    return { row: 'scan', title: `Blocks of ${transfers.toLocaleString('en')} transfers scanned`, cases };
  });
}

function contestOf(name: string, measures: Map<string, Measure>, seconds: number): Contest {
  const contestants = [...measures].map(([who, measure]) => ({ name: who, measure: () => measure(seconds) }));
  const yardsticks = [...measures.keys()].slice(1);
  return {
    name,
    contestants: contestants as [Contestant, ...Contestant[]],
    aims: Object.fromEntries(yardsticks.map((who) => [who, who === 'node alone' ? aims.node : aims.flat])),
    warmUp: ({ name: who }) => measures.get(who)!(Math.min(seconds, warmUpSeconds)),
  };
}

/** A scanner that reads the last blocks again and again. Nothing becomes final: that would be a second reading. */
async function scanning(rig: ScanRig, db: Database, blocks: number): Promise<Measure> {
  const { chainId, rpcUrl, token } = rig;
  const chain: ChainConfig = {
    id: chainId,
    name: 'Local',
    rpcUrls: [rpcUrl],
    finality: 'confirmations',
    confirmations: 100,
    blockSeconds: 1,
    startBlock: rig.blocks[1]!.number,
    receiving: { kind: 'forwarder', treasury: `0x${'0'.repeat(38)}01` },
    tokens: [{ asset: 'usdc-bep20', address: token, scale: 18, symbol: 'USDC' }],
    nativeSymbol: 'ETH',
    nativeUsd: null,
    publicRpcUrl: null,
    explorer: null,
    sweep: { gasKeyFile: null, everySeconds: 3600, worth: 20, maxGasPriceGwei: 200 },
    vault: null,
    paysByHand: false,
  };
  const scanner = createScanner({
    db,
    chain,
    endpoints: createEndpoints({ chain }),
    take: async () => {},
    now: () => new Date(),
    log: silentLog,
  });
  // The first round of a chain reads all blocks.
  await scanner.tick();
  return (seconds) =>
    repeat(seconds, blocks, async () => {
      await forget(db, rig.blocks.at(-1 - blocks)!);
      const tookMs = await timed(() => scanner.tick());
      await requireFound(db, blocks);
      return tookMs;
    });
}

/** Moves the scan's cursors back to a block, and ends its lease. */
async function forget(db: Database, { number, hash }: ScanRig['blocks'][number]): Promise<void> {
  await db.query('DELETE FROM evm_transfers');
  await db.query('UPDATE evm_chains SET seen_number = $1, seen_hash = $2', [number, hash]);
  await transaction(db, forgetLeases);
}

async function requireFound(db: Database, blocks: number): Promise<void> {
  const { rowCount } = await db.query("SELECT FROM evm_transfers WHERE reported_state = 'seen'");
  if (rowCount !== blocks * ours)
    throw new Error(`${rowCount} transfers to payments found in ${blocks} blocks`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Repeats the work until its runs have taken `seconds`; the time between runs does not count. */
async function repeat(seconds: number, blocks: number, work: () => Promise<number>): Promise<Figure> {
  const tookMs = createHistogram();
  let totalMs = 0;
  while (totalMs < seconds * 1000) {
    const each = await work();
    totalMs += each;
    tookMs.record(Math.max(1, Math.round(each * 1000)));
  }
  return {
    perSecond: (tookMs.count * blocks * 1000) / totalMs,
    p50Ms: tookMs.percentile(50) / 1000,
    p99Ms: tookMs.percentile(99) / 1000,
    generatorCpu: null,
  };
}
