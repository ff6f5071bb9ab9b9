import { runContest } from '../contest.ts';
import { connectionCounts, httpContestants, type RowOptions, withHttpRig } from '../http-row.ts';
import type { Case, RowResult } from '../result.ts';

const body = JSON.stringify({
  amount: 12.5,
  currency: 'USDC',
  payment_type: 'deposit',
  customer_email: 'ada@example.com',
  customer_reference: 'customer-1815',
  success_url: 'https://shop.example/thanks?order=1815',
  failure_url: 'https://shop.example/basket?order=1815',
  meta_data: '{"order":1815}',
});

/** Durable creates a second: key, validation, fsynced commit. */
export async function create({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withHttpRig(async ({ gateway, ports, load }) => {
    const servers = [
      { name: 'gateway', port: gateway.port },
      { name: 'bare route', port: ports.bare },
      { name: 'one INSERT a request', port: ports.single },
    ];
    const cases: Case[] = [];
    for (const connections of connectionCounts(seconds)) {
      const field = httpContestants({ load, gateway }, servers, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${gateway.demo.secret_key}`,
          'content-type': 'application/json',
        },
        requests: [{ path: '/payment/create', body }],
        connections,
        seconds,
      });
      const aims = { 'bare route': 0.6, 'one INSERT a request': 2 };
      cases.push(await runContest({ name: `${connections} connections`, ...field, aims }, progress));
    }
    return { row: 'create', title: 'Payments created', cases };
  });
}
