import { runContest } from '../contest.ts';
import { connectionCounts, httpContestants, type RowOptions, withHttpRig } from '../http-row.ts';
import type { Case, RowResult } from '../result.ts';

const body = JSON.stringify({ username: 'john_doe', amount: 0.0001, currency: 'pi' });

/** Wallets funded per second, all out of one business balance. */
export async function fundUser({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withHttpRig(async (rig) => {
    const { gateway, ports } = rig;
    const servers = [
      { name: 'gateway', port: gateway.port },
      { name: 'one UPDATE a request', port: ports.single },
    ];
    const cases: Case[] = [];
    for (const connections of connectionCounts(seconds)) {
      const field = httpContestants(rig, servers, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.demo.secret_key}`,
          'content-type': 'application/json',
        },
        requests: [{ path: '/payment/fund-user', body }],
        connections,
        seconds,
      });
      const aims = { 'one UPDATE a request': 4 };
      const limits = { p99Ms: 100 };
      cases.push(await runContest({ name: `${connections} connections`, ...field, aims, limits }, progress));
    }
    return { row: 'fund-user', title: 'Users funded from one balance', cases };
  });
}
