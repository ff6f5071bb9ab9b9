import { runContest } from '../contest.ts';
import { createBody } from '../create-body.ts';
import { connectionCounts, httpContestants, type RowOptions, withHttpRig } from '../http-row.ts';
import type { Case, RowResult } from '../result.ts';

/** Durable creates per second: key, validation, fsynced commit. */
export async function create({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withHttpRig(async (rig) => {
    const { gateway, ports } = rig;
    const servers = [
      { name: 'gateway', port: gateway.port },
      { name: 'bare route', port: ports.bare },
      { name: 'one INSERT a request', port: ports.single },
    ];
    const cases: Case[] = [];
    for (const connections of connectionCounts(seconds)) {
      const field = httpContestants(rig, servers, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${gateway.demo.secret_key}`,
          'content-type': 'application/json',
        },
        requests: [{ path: '/payment/create', body: createBody }],
        connections,
        seconds,
      });
      const aims = { 'one INSERT a request': 2 };
      const cpuAim = { against: 'bare route', most: 2 };
      cases.push(await runContest({ name: `${connections} connections`, ...field, aims, cpuAim }, progress));
    }
    return { row: 'create', title: 'Payments created', cases };
  });
}
