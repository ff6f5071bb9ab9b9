import { startChild } from '../child.ts';
import { runContest } from '../contest.ts';
import { withCpu } from '../cpu.ts';
import { withGateway } from '../gateway.ts';
import { isShort, type RowOptions } from '../http-row.ts';
import type { PosterReply, PosterRequest, Posting } from '../ledger/poster.ts';
import type { Case, Figure, RowResult } from '../result.ts';

type Manner = { name: string } & Pick<Posting, 'callers' | 'each' | 'isHot'>;

const manners: readonly Manner[] = [
  { name: 'one caller, one transfer a call', callers: 1, each: 1, isHot: false },
  { name: '64 callers, one transfer a call', callers: 64, each: 1, isHot: false },
  { name: '64 callers, one transfer a call, out of one account', callers: 64, each: 1, isHot: true },
  { name: 'one caller, 500 transfers a call', callers: 1, each: 500, isHot: false },
];
const warmUpSeconds = 1;

/** Transfers that the ledger settles a second, among 1,000 accounts, beside a plain one in SQL in the same database. */
export async function ledger({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withGateway(async ({ dataDir, processes }) => {
    const poster = startChild<PosterRequest, PosterReply>('ledger/poster.ts');
    try {
      const opened = await poster.ask({ dataDir });
      if (!('pid' in opened)) throw new Error('The poster opened no database');
      const own = { ...processes, gateway: opened.pid };
      const post = async (manner: Manner, ledger: Posting['ledger'], each: number): Promise<Figure> =>
        await withCpu(own, async () => {
          const posted = await poster.ask({ ...manner, ledger, seconds: each });
          if (!('figure' in posted)) throw new Error('The poster posted nothing');
          return posted;
        });
      const cases: Case[] = [];
      for (const manner of isShort(seconds) ? manners.slice(1, 2) : manners) {
        const contest = {
          name: manner.name,
          aims: { [plain]: 1 },
          warmUp: async ({ name }: { name: string }) =>
            await post(manner, name === plain ? 'plain' : 'gateway', Math.min(seconds, warmUpSeconds)),
        };
        const ours = { name: 'gateway', measure: () => post(manner, 'gateway', seconds) };
        const theirs = { name: plain, measure: () => post(manner, 'plain', seconds) };
        cases.push(await runContest({ ...contest, contestants: [ours, theirs] }, progress));
      }
      return { row: 'ledger', title: 'Ledger transfers settled', cases };
    } finally {
      await poster.stop();
    }
  });
}

const plain = 'a plain ledger in SQL';
