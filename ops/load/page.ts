import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from './tally.ts';

/** How often the stream was opened, and why the page never said that all is paid; null where it did. */
export type Followed = { opened: number; fault: string | null };

/** `isPatient`: connects again too where it is answered 503. `waitMs`: how long the payment may take. */
export type FollowOptions = { tally: Tally; isPatient?: boolean; waitMs?: number };

const usualWaitMs = 60_000;
/** What the stream tells a browser to wait before it connects again. */
const retryMs = 1_000;

/** Follows the stream of a payment's page as a browser does, which connects again when it ends, until the payment is completed. */
export async function followPage(
  pageUrl: string,
  customer: string,
  { tally, isPatient = false, waitMs = usualWaitMs }: FollowOptions,
): Promise<Followed> {
  const { origin, pathname, search } = new URL(pageUrl);
  const endMs = performance.now() + waitMs;
  let lastId = '';
  for (let opened = 1; ; opened++) {
    const headers = { 'x-forwarded-for': customer, ...(lastId && { 'last-event-id': lastId }) };
    const begunMs = performance.now();
    const signal = AbortSignal.timeout(waitMs);
    const response = await fetch(`${origin}${pathname}/events${search}`, { headers, signal }).catch(
      (error: Error) => error,
    );
    const status = response instanceof Response ? response.status : `${response}`;
    const isOpen = status === 200 || status === 204;
    const isUsual = isOpen || (isPatient && status === 503);
    tally.note(performance.now() - begunMs, isUsual ? null : `a stream was answered ${status}`);
    if (!isUsual || !(response instanceof Response)) return { opened, fault: `it was answered ${status}` };
    const read = await readStream(response);
    lastId = read.lastId || lastId;
    if (read.isCompleted) return { opened, fault: null };
    if (performance.now() > endMs) return { opened, fault: 'it never said that the payment is completed' };
    await sleep(retryMs);
  }
}

/** Reads until a state is completed or the stream ends. */
async function readStream({ body }: Response): Promise<{ isCompleted: boolean; lastId: string }> {
  let text = '';
  let isCompleted = false;
  try {
    // Cancelled when the loop is left.
    for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += part;
      isCompleted = /^data: .*"payment_status":"completed".*\n\n/m.test(text);
      if (isCompleted) break;
    }
  } catch {
    // The connection broke: a browser connects again.
  }
  return {
    isCompleted,
    lastId:
      text
        .match(/^id: (\d+)$/gm)
        ?.at(-1)
        ?.slice(4) ?? '',
  };
}
