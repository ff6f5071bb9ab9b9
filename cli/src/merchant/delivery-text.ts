import type { Delivery } from '@florin/sdk';
import type { Column } from '../output/table.ts';
import { localTime, toneOf } from '../output/text.ts';

/** A delivery as one row of a list. */
export const deliveryColumns: Column<Delivery>[] = [
  { title: 'last tried', of: ({ attempts }) => timeOf(attempts.at(-1)?.at) },
  { title: 'event', of: ({ event_id }) => event_id },
  { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
  { title: 'tried', of: ({ attempts }) => `${attempts.length}`, isNumber: true },
  { title: 'answer', of: answerOf },
  { title: 'next', of: ({ next_attempt_at }) => timeOf(next_attempt_at) },
];

function timeOf(at: string | null | undefined): string {
  return at == null ? '' : localTime(at);
}

/** The result of the last attempt: `200 in 12 ms`, or why there was no answer. */
export function answerOf({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return '';
  return last.status_code === null ? (last.error ?? '') : `${last.status_code} in ${last.duration_ms} ms`;
}
