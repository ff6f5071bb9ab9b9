import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { createBody } from '../create-body.ts';
import { type Lines, readHead, requestText } from '../lines.ts';

/** The lives that were due in one second: their time is from when they were due until they were paid. */
export type Second = {
  due: number;
  completed: number;
  refused: number;
  /** Customers who left: no connection was free for them for some seconds. */
  left: number;
  times: RecordableHistogram | undefined;
};

/** Answers other than 200, 429 and 503 by their status, where 0 is none at all, with the first of each. */
export type Faults = Record<string, { count: number; first: string }>;

export type Told = {
  /** A create was answered 200. */
  created(reference: string): void;
  completed(reference: string): void;
};

export type Lives = {
  /** A customer comes: one payment is created, and then paid. */
  begin(dueMs: number, second: Second): void;
  /** Sends what waits, as far as connections are idle. Throws where there is no connection any more. */
  sendWaiting(): void;
  /** How many have not ended. */
  open(): number;
  faults: Faults;
  /** How many refusals had no `Retry-After`. */
  withoutRetryAfter(): number;
};

type Life = { key: string; dueMs: number; second: Second };
type Waiting = { request: string; onAnswer(text: string): void };
type Customer = Waiting & { life: Life };

const patienceMs = 5_000;
const payBody = JSON.stringify({ outcome: 'success' });

/** Customers of the merchants with these keys, in turn. Who is refused does not come again. */
export function openLives(lines: Lines, keys: readonly string[], told: Told): Lives {
  const creates = keys.map((key) => requestText('PUT', '/payment/create', key, createBody));
  const waiting: { pays: Waiting[]; creates: Customer[] } = { pays: [], creates: [] };
  const faults: Faults = {};
  let [open, turn, withoutRetryAfter] = [0, 0, 0];

  function onCreated(text: string, life: Life): void {
    const reference = /"payment_reference":"([^"]+)"/.exec(text)?.[1];
    if (!isTaken(text, life) || reference === undefined) return;
    told.created(reference);
    const path = `/test/payments/${reference}/simulate`;
    waiting.pays.push({
      request: requestText('POST', path, life.key, payBody),
      onAnswer: (answer) => onPaid(answer, reference, life),
    });
  }
  function onPaid(text: string, reference: string, life: Life): void {
    if (!isTaken(text, life)) return;
    if (!text.includes('"payment_status":"completed"')) {
      fault('not completed', text);
      return;
    }
    told.completed(reference);
    const { second, dueMs } = life;
    second.completed++;
    second.times ??= createHistogram();
    second.times.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
    open--;
  }
  /** Whether it was answered 200; else this life has ended. */
  function isTaken(text: string, { second }: Life): boolean {
    const { status, saysWhen } = readHead(text);
    if (status === '200') return true;
    if (status === '429' || status === '503') {
      second.refused++;
      if (!saysWhen) withoutRetryAfter++;
      open--;
    } else fault(status, text);
    return false;
  }
  /** The next customer who has not left. */
  function nextCustomer(): Customer | undefined {
    const earliestMs = performance.now() - patienceMs;
    for (let next = waiting.creates.shift(); next; next = waiting.creates.shift()) {
      if (next.life.dueMs >= earliestMs) return next;
      next.life.second.left++;
      open--;
    }
    return undefined;
  }
  function fault(of: string, text: string): void {
    faults[of] ??= { count: 0, first: text.slice(0, 500) };
    faults[of].count++;
    open--;
  }

  return {
    begin(dueMs, second) {
      second.due++;
      open++;
      turn = (turn + 1) % keys.length;
      const life = { key: keys[turn] ?? '', dueMs, second };
      waiting.creates.push({
        life,
        request: creates[turn] ?? '',
        onAnswer: (text) => onCreated(text, life),
      });
    },
    sendWaiting() {
      if (lines.open() === 0) throw new Error('The gateway is gone');
      while (lines.idle() > 0) {
        const next = waiting.pays.shift() ?? nextCustomer();
        if (!next) return;
        lines.send(next.request, next.onAnswer);
      }
    },
    open: () => open,
    faults,
    withoutRetryAfter: () => withoutRetryAfter,
  };
}
