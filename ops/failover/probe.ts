import { setTimeout as sleep } from 'node:timers/promises';

/** Creates one payment after the other at one gateway, and notes when each was answered. */
export type Probe = {
  /** Milliseconds from `atMs` (of performance.now) to the first 200 that came later; undefined: none yet. */
  firstAfter(atMs: number): number | undefined;
  /** How long no 200 came, at most, since `atMs`. */
  longestGapSince(atMs: number): number;
  /** The references of all payments that were answered 200. */
  answered: string[];
  /** How many answers had each status; `none`: there was no answer. */
  statuses: Map<string, number>;
  stop(): Promise<void>;
};

const everyMs = 200;
const silentMs = 60_000;

export function openProbe(name: string, url: string, secretKey: string): Probe {
  const answered: string[] = [];
  const atMs: number[] = [];
  const statuses = new Map<string, number>();
  const open = new Set<Promise<void>>();
  let isStopped = false;

  async function create(reference: string): Promise<void> {
    let status = 'none';
    try {
      const response = await fetch(`${url}/payment/create`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${secretKey}`,
          'content-type': 'application/json',
          'idempotency-key': reference,
        },
        body: JSON.stringify({
          ...{ amount: 1, currency: 'USDC', payment_type: 'deposit', payment_reference: reference },
        }),
        signal: AbortSignal.timeout(silentMs),
      });
      status = `${response.status}`;
      await response.text();
    } catch {
      status = 'none';
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== '200') return;
    answered.push(reference);
    atMs.push(performance.now());
  }

  async function go(): Promise<void> {
    for (let n = 1; !isStopped; n++) {
      const made = create(`PROBE-${name}-${n}`).finally(() => open.delete(made));
      open.add(made);
      await sleep(everyMs);
    }
    await Promise.all(open);
  }

  const going = go();
  return {
    firstAfter(beginMs) {
      const first = atMs.find((each) => each > beginMs);
      return first === undefined ? undefined : first - beginMs;
    },
    longestGapSince(beginMs) {
      const times = [beginMs, ...atMs.filter((each) => each > beginMs)];
      return Math.max(...times.slice(1).map((each, n) => each - (times[n] ?? each)));
    },
    ...{ answered, statuses },
    async stop() {
      isStopped = true;
      await going;
    },
  };
}
