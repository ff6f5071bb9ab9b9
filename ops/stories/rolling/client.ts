import { isDeepStrictEqual } from 'node:util';
import type { Tally } from './tally.ts';

export type Call = { method?: string; body?: object; key?: string; idempotencyKey?: string };
type Envelope = { message: string; data: unknown };

/** Ends one order: what it was told counts already. */
export class Refused extends Error {}

/** Calls a gateway with a key as a shop's server does, and counts what it is answered. */
export type Client = {
  /** The data of the answer. Throws Refused. */
  call(path: string, given: Call): Promise<unknown>;
  /** A write with a key of its own; where `n` can be divided by four it is sent twice at once, and has to be answered alike. */
  write(n: number, path: string, given: Call & { idempotencyKey: string }): Promise<unknown>;
  readPage(url: string): Promise<void>;
  /** How many calls were sent twice, and how many of these again because their twin was not done. */
  counts: { twice: number; again: number };
};

export function openClient(url: string, secretKey: string, tally: Tally): Client {
  const counts = { twice: 0, again: 0 };

  async function call(path: string, given: Call): Promise<unknown> {
    const { method = 'GET', body, key, idempotencyKey } = given;
    const begunMs = performance.now();
    let fault: string | null = null;
    let answer: Envelope | undefined;
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key ?? secretKey}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      // Its twin has not ended within five seconds: docs/idempotency.md says to send it again.
      if (response.status === 409 && text.includes('"idempotency_in_use"')) {
        counts.again++;
        return await call(path, given);
      }
      if (response.status === 200) answer = JSON.parse(text) as Envelope;
      else fault = `${method} ${path} was answered ${response.status} ${text.slice(0, 200)}`;
    } catch (error) {
      const { message, cause } = error as Error;
      fault = `${method} ${path} was not answered: ${message} ${cause ?? ''}`;
    }
    tally.note(performance.now() - begunMs, fault);
    if (fault !== null || !answer) throw new Refused(fault ?? 'no answer');
    return answer.data;
  }

  async function write(n: number, path: string, given: Call & { idempotencyKey: string }): Promise<unknown> {
    if (n % 4 !== 0) return await call(path, given);
    counts.twice++;
    const [one, other] = await Promise.all([call(path, given), call(path, given)]);
    if (!isDeepStrictEqual(one, other)) tally.wrong(`${path} answered ${given.idempotencyKey} in two ways`);
    return one;
  }

  async function readPage(pageUrl: string): Promise<void> {
    const begunMs = performance.now();
    const response = await fetch(pageUrl).catch((error: Error) => error);
    const isShown = response instanceof Response && response.status === 200;
    if (response instanceof Response) await response.text();
    const fault = isShown
      ? null
      : `the page was ${response instanceof Response ? response.status : response}`;
    tally.note(performance.now() - begunMs, fault);
  }

  return { call, write, readPage, counts };
}
