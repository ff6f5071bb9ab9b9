import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Tally } from './tally.ts';

export type Call = { method?: string; body?: object; key?: string; idempotencyKey?: string };
type Envelope = { message: string; data: unknown };

/** Ends one order: what it was told counts already. */
export class Refused extends Error {
  /** 0: it was not answered as long as the client was patient. */
  readonly status: number;
  constructor(fault: string, status: number) {
    super(fault);
    this.status = status;
  }
}

/** One request and its answer. `status` is 0, and `data` undefined, where there was no whole answer. */
export type Answered = {
  path: string;
  given: Call;
  /** Milliseconds of `performance.now()`. */
  beganMs: number;
  endedMs: number;
  status: number;
  message: string;
  data: unknown;
};

/** Calls a gateway with a key as a shop's server does, and counts what it is answered. */
export type Client = {
  /** The data of the answer. Throws Refused. */
  call(path: string, given: Call): Promise<unknown>;
  /** A write with a key of its own; where `n` can be divided by four it is sent twice at once, and has to be answered alike. */
  write(n: number, path: string, given: Call & { idempotencyKey: string }): Promise<unknown>;
  readPage(url: string): Promise<void>;
  /** How many calls were sent twice, and how often a call was sent again. */
  counts: { twice: number; again: number };
};

/**
 * `isPatient`: it sends again what was answered 5xx, or not at all, as docs/idempotency.md says, for `patientMs`. `silentMs`: how
 * long it waits for one answer, by default longer than a gateway waits for its database. `note` is told of each answer.
 */
export type ClientOptions = {
  tally: Tally;
  isPatient?: boolean;
  patientMs?: number;
  silentMs?: number;
  note?: (answered: Answered) => void;
};

type Asked = { data: unknown; fault: string | null; status: number; isPassing: boolean };

const usualPatientMs = 300_000;
const usualSilentMs = 60_000;
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** Calls gateways in turn: what is sent again goes to another one. */
export function openClient(urls: readonly string[], secretKey: string, options: ClientOptions): Client {
  const { tally, isPatient = false, patientMs = usualPatientMs, silentMs = usualSilentMs, note } = options;
  const counts = { twice: 0, again: 0 };
  let turn = 0;

  async function call(path: string, given: Call): Promise<unknown> {
    const endMs = performance.now() + patientMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const { data, fault, status, isPassing } = await ask(path, given);
      if (isPassing && performance.now() < endMs) {
        counts.again++;
        await sleep(pauseMs * (0.5 + Math.random()));
        continue;
      }
      if (fault === null) return data;
      throw new Refused(fault, status);
    }
  }

  /** One request. Where its fault passes, it may be sent again with its key. */
  async function ask(path: string, given: Call): Promise<Asked> {
    const beganMs = performance.now();
    const url = urls[turn++ % urls.length] ?? '';
    const key = given.key ?? secretKey;
    const { status, message, data, fault, isInUse } = await request(url + path, { ...given, key }, silentMs);
    const endedMs = performance.now();
    note?.({ path, given, beganMs, endedMs, status, message, data });
    if (isInUse) return { data, fault: null, status, isPassing: true };
    const isPassing = isPatient && (status === 0 || status >= 500);
    // A patient shop sends it again, but no gateway may say that it has a fault, or say nothing at all.
    if (isPassing && status !== 503)
      tally.wrong(`${url} after ${Math.round(endedMs - beganMs)} ms: ${fault}`);
    tally.note(endedMs - beganMs, isPassing ? null : fault);
    return { data, fault, status, isPassing };
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
    const signal = AbortSignal.timeout(silentMs);
    const response = await fetch(pageUrl, { signal }).catch((error: Error) => error);
    const status = response instanceof Response ? response.status : `${response}`;
    if (response instanceof Response) await response.text();
    const isUsual = status === 200 || (isPatient && status === 503);
    const fault = isUsual ? null : `the page was ${status}`;
    tally.note(performance.now() - begunMs, fault);
  }

  return { call, write, readPage, counts };
}

type Reply = { status: number; message: string; data: unknown; fault: string | null; isInUse: boolean };

async function request(url: string, given: Call, silentMs: number): Promise<Reply> {
  const { method = 'GET', body, key, idempotencyKey } = given;
  const nothing = { status: 0, message: '', data: undefined, isInUse: false };
  try {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(silentMs),
    });
    const text = await response.text();
    const { status } = response;
    // What a balancer says by itself is no JSON.
    const isJson = status === 200 || text.startsWith('{');
    const { message, data } = (isJson ? JSON.parse(text) : { message: text }) as Envelope;
    const fault = status === 200 ? null : `${method} ${url} was answered ${status} ${text.slice(0, 200)}`;
    // Its twin has not ended within five seconds: docs/idempotency.md says to send it again.
    return { status, message, data, fault, isInUse: status === 409 && text.includes('"idempotency_in_use"') };
  } catch (error) {
    const { message, cause } = error as Error;
    return { ...nothing, fault: `${method} ${url} was not answered: ${message} ${cause ?? ''}` };
  }
}
