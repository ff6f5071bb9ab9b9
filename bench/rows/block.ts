import type { BlockReply, BlockRequest } from '../block-reporter.ts';
import { type Child, startChild } from '../child.ts';
import { runContest } from '../contest.ts';
import { type Processes, withCpu } from '../cpu.ts';
import { type RunningGateway, withGateway } from '../gateway.ts';
import { isShort, type RowOptions } from '../http-row.ts';
import type { Case, Figure, RowResult } from '../result.ts';

type Rig = { reporter: Child<BlockRequest, BlockReply>; processes: Processes; transfers: number };

const transfersOfBlock = 3_000;
const finalWithinMs = 2_000;

/** A block that pays thousands of one merchant's payments: from its note until the last one is settled. */
export async function block({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withGateway(async (gateway) => {
    const transfers = isShort(seconds) ? 100 : transfersOfBlock;
    const cases: Case[] = [];
    await withReporter(gateway, transfers, async (rig) => {
      const shown = transfers.toLocaleString('en');
      const measures = {
        'seen to pending': { measure: () => report(rig, 'seen'), limits: {} },
        'final to settled': { measure: () => report(rig, 'final'), limits: { p50Ms: finalWithinMs } },
      };
      for (const [name, { measure, limits }] of Object.entries(measures)) {
        const contest = {
          name: `${shown} transfers to one merchant's payments, ${name}`,
          aims: { creates: 0.2 },
          limits,
          warmUp: async () => {},
        };
        const gatewayOne = { name: 'gateway', measure };
        const creates = { name: 'creates', measure: () => create(rig) };
        cases.push(await runContest({ ...contest, contestants: [gatewayOne, creates] }, progress));
      }
    });
    return { row: 'block', title: 'Blocks of payments', cases };
  });
}

async function withReporter(
  { dataDir, processes }: RunningGateway,
  transfers: number,
  work: (rig: Rig) => Promise<void>,
): Promise<void> {
  const reporter = startChild<BlockRequest, BlockReply>('block-reporter.ts');
  try {
    const { pid } = await reporter.ask({ dataDir });
    await work({ reporter, transfers, processes: { ...processes, gateway: pid } });
  } finally {
    await reporter.stop();
  }
}

/** Reports a block in this state; the steps before are not measured. */
async function report({ reporter, processes, transfers }: Rig, state: 'seen' | 'final'): Promise<Figure> {
  await reporter.ask({ create: transfers });
  await reporter.ask({ note: 'seen' });
  if (state === 'final') {
    await reporter.ask({ report: 'seen' });
    await reporter.ask({ note: 'final' });
  }
  const figure = await withCpu(processes, async () => {
    const { tookMs, settled } = await reporter.ask({ report: state });
    const expected = state === 'final' ? transfers : 0;
    if (settled !== expected) throw new Error(`${settled} of ${expected} payments are settled`);
    return { figure: figureOf(transfers, tookMs), count: transfers };
  });
  if (state === 'seen') await settle(reporter);
  return figure;
}

/** Settles the block, so that nothing is left for the next measurement. */
async function settle(reporter: Rig['reporter']): Promise<void> {
  await reporter.ask({ note: 'final' });
  await reporter.ask({ report: 'final' });
}

async function create({ reporter, processes, transfers }: Rig): Promise<Figure> {
  return await withCpu(processes, async () => {
    const { tookMs } = await reporter.ask({ create: transfers });
    return { figure: figureOf(transfers, tookMs), count: transfers };
  });
}

/** The time for the whole block is given as its p50. */
const figureOf = (count: number, tookMs: number): Figure => ({
  perSecond: (count * 1000) / tookMs,
  p50Ms: tookMs,
  p99Ms: null,
  generatorCpu: null,
});
