import { runContest } from '../contest.ts';
import { withCpu } from '../cpu.ts';
import { createBody, openBody, quotedBody } from '../create-body.ts';
import { connectionCounts, type RowOptions, withHttpRig } from '../http-row.ts';
import type { Case, RowResult } from '../result.ts';

const warmUpSeconds = 2;

/** Payments with a price, in turns with payments of an amount, at the same gateway. */
export async function createPriced({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withHttpRig(async ({ gateway, load }) => {
    const cases: Case[] = [];
    for (const connections of connectionCounts(seconds)) {
      const drive = (body: string, length: number) =>
        withCpu(gateway.processes, () =>
          load.ask({
            method: 'PUT',
            headers: {
              authorization: `Bearer ${gateway.demo.secret_key}`,
              'content-type': 'application/json',
            },
            requests: [{ path: '/payment/create', body }],
            connections,
            port: gateway.port,
            seconds: length,
          }),
        );
      const bodies = { gateway: quotedBody, 'an open price': openBody, 'an amount': createBody };
      const [first, ...others] = Object.entries(bodies).map(([name, body]) => ({
        name,
        measure: () => drive(body, seconds),
      }));
      if (!first) throw new Error('A contest has a contestant');
      const contest = {
        name: `${connections} connections`,
        contestants: [first, ...others] as [typeof first, ...typeof others],
        aims: { 'an amount': 1 / 1.15 },
        warmUp: ({ name }: { name: string }) =>
          drive(bodies[name as keyof typeof bodies], Math.min(seconds, warmUpSeconds)),
      };
      cases.push(await runContest(contest, progress));
    }
    return { row: 'create-priced', title: 'Payments created with a price', cases };
  });
}
