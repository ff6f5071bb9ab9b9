// The yardstick of webhooks: as many POSTs to the same receiver in a bare loop, neither signed nor recorded.
import { Agent, request } from 'undici';
import { answer } from './child.ts';

export type SendRequest = { urls: string[]; body: string; count: number; atOnce: number };
/** When the first of them was sent and the last was answered, in nanoseconds of the system's monotonic clock. */
export type SendReply = { firstAt: string; lastAt: string };

const dispatcher = new Agent();
const headers = { 'content-type': 'application/json' };

answer<SendRequest, SendReply>(async ({ urls, body, count, atOnce }) => {
  const firstAt = process.hrtime.bigint();
  let next = 0;
  const sendInTurn = async (): Promise<void> => {
    while (next < count) {
      const url = urls[next % urls.length]!;
      next += 1;
      const answered = await request(url, { method: 'POST', headers, body, dispatcher });
      await answered.body.dump();
      if (answered.statusCode !== 200) throw new Error(`Answered ${answered.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendInTurn));
  return { firstAt: `${firstAt}`, lastAt: `${process.hrtime.bigint()}` };
});
