import { runContest } from '../contest.ts';
import { connectionCounts, httpContestants, type RowOptions, withHttpRig } from '../http-row.ts';
import { inParts } from '../in-parts.ts';
import type { Case, RowResult } from '../result.ts';

const payments = 1_000;
const createdAtOnce = 50;

/** Payments read per second by their reference, without a key. */
export async function info({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withHttpRig(async (rig) => {
    const { gateway, ports } = rig;
    const references = await createPayments(gateway.demo.base_url, gateway.demo.secret_key);
    const servers = [
      { name: 'gateway', port: gateway.port },
      { name: 'bare route', port: ports.bare },
    ];
    const cases: Case[] = [];
    for (const connections of connectionCounts(seconds)) {
      const field = httpContestants(rig, servers, {
        method: 'GET',
        headers: {},
        requests: references.map((reference) => ({ path: `/payment/info/${reference}` })),
        connections,
        seconds,
      });
      const aims = { 'bare route': 0.6 };
      cases.push(await runContest({ name: `${connections} connections`, ...field, aims }, progress));
    }
    return { row: 'info', title: 'Payments read', cases };
  });
}

async function createPayments(baseUrl: string, secretKey: string): Promise<string[]> {
  const all = Array.from({ length: payments });
  return await inParts(all, createdAtOnce, () => createPayment(baseUrl, secretKey));
}

async function createPayment(baseUrl: string, secretKey: string): Promise<string> {
  const response = await fetch(`${baseUrl}/payment/create`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 12.5, currency: 'USDC', payment_type: 'deposit' }),
  });
  if (!response.ok) throw new Error(`A payment was not created: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { PaymentData: { payment_reference: string } } };
  return data.PaymentData.payment_reference;
}
