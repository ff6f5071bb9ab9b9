import type { PiOrder } from './pi-order.ts';

/** What the gateway is told of a payment of Pi's; each may be told again. */
export type PiCall = 'approve' | 'complete' | 'incomplete' | 'cancel';

/** Where a payment of Pi's stands; the key says why it leads nowhere, or why nothing is decided. */
export type PiAnswer = { status: string; message_key?: string };

/** Tells the gateway, and resolves with its answer; null where none came in time. */
export async function tellGateway(
  { calls, fields, patienceMs }: PiOrder,
  call: PiCall,
  told: { pi_payment: string; txid?: string },
): Promise<PiAnswer | null> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patienceMs);
  try {
    const body = new URLSearchParams({ ...fields, ...told });
    const response = await fetch(calls + call, { method: 'POST', body, signal: late.signal });
    if (response.status === 429 || response.status >= 500) return null;
    if (!response.ok) return { status: 'refused' };
    return (await response.json()) as PiAnswer;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
