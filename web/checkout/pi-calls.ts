import type { PiOrder } from './pi-order.ts';

/** What the page reports to the gateway about a payment in Pi. Each report may be repeated. */
export type PiCall = 'approve' | 'complete' | 'incomplete' | 'cancel';

/** The status of a payment in Pi. The key says why it was refused, or why it is not decided yet. */
export type PiAnswer = { status: string; message_key?: string };

/** Reports to the gateway and resolves with its answer; null when none came in time. */
export async function reportToGateway(
  { calls, fields, timeoutMs }: PiOrder,
  call: PiCall,
  report: { pi_payment: string; txid?: string },
): Promise<PiAnswer | null> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const body = new URLSearchParams({ ...fields, ...report });
    const response = await fetch(calls + call, { method: 'POST', body, signal: timeout.signal });
    if (response.status === 429 || response.status >= 500) return null;
    if (!response.ok) return { status: 'refused' };
    return (await response.json()) as PiAnswer;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
