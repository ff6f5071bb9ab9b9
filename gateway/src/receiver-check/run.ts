import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../kit/clock.ts';
import { randomCrockford } from '../kit/ids.ts';
import type { ExchangeResult, Reach, Sender } from '../kit/net/safe-fetch.ts';
import { type Case, isSendable } from './case.ts';
import { createEventMaker, type Message, messageOf, type Signing } from './message.ts';
import type { OtherSecret } from './probes.ts';
import { type Result, resultOf, unsent, worstOf } from './result.ts';

export type Receiver = {
  url: URL;
  reach: Reach;
  /** The merchant's own headers; their values are never shown. */
  headers: Record<string, string>;
  signing: Signing;
  /** Secrets that it may hold by mistake. */
  otherSecrets: readonly OtherSecret[];
  integrationId: string;
};

export type RunDeps = {
  sender: Sender;
  receiver: Receiver;
  now: Clock;
  /** The sender's: what lasted that long was not answered. */
  timeoutMs: number;
  /** No exchange begins later than this after the first. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
  /** Called after every exchange. */
  onResult(results: readonly Result[]): void;
};

export type Run = {
  /** The mark in the references of this run's payments. */
  mark: string;
  results: Map<string, Result>;
  /** Sends lists of cases, several lists at the same time, each list in its order. */
  send(lists: readonly (readonly Case[])[], lanes: number): Promise<void>;
  /** Nothing answers at the address any more. */
  isGone(): boolean;
};

const pieceGapMs = 150;
/** Of those who ask to come back later. */
const longestWaitMs = 3_000;
/** Shorter ones are no secrets, and would be found in many a word. */
const shortestSecret = 6;

/** Sends deliveries to one receiver and keeps what came back. */
export function createRun(deps: RunDeps): Run {
  const { sender, receiver, now, timeoutMs, signal } = deps;
  const mark = randomCrockford(6);
  const eventOf = createEventMaker(mark, receiver.integrationId, now);
  const results = new Map<string, Result>();
  const started = performance.now();
  const hide = Object.values(receiver.headers).filter(({ length }) => length >= shortestSecret);
  let gone = false;
  let patienceMs = 3 * longestWaitMs;

  async function exchange(message: Message, pieces: number): Promise<ExchangeResult> {
    const { method, body } = message;
    const headers = { ...receiver.headers, ...message.headers };
    const inPieces = pieces > 1;
    return await sender.send({
      method,
      url: receiver.url,
      headers: inPieces ? { ...headers, 'Content-Length': `${body.length}` } : headers,
      body: inPieces ? Readable.from(slowly(body, pieces)) : body,
      reach: receiver.reach,
    });
  }

  async function once(one: Case, copy: number): Promise<Result> {
    const draft = one.apart
      ? { ...one.event, key: `${one.event.key} ${copy}`, payment: `${one.event.payment}_${copy + 1}` }
      : one.event;
    const event = eventOf(draft);
    const at = new Date(now().getTime() + (one.shiftSeconds ?? 0) * 1000);
    const honest = messageOf(event, receiver.signing, at);
    const message = one.change?.(honest, { event, signing: receiver.signing, at }) ?? honest;
    return resultOf(one, await exchange(message, one.pieces ?? 1), timeoutMs, hide);
  }

  async function sendOne(one: Case): Promise<void> {
    if (signal?.aborted) return;
    if (gone) return keep(unsent(one, 'Not sent: the receiver was gone'));
    if (performance.now() - started > deps.budgetMs) return keep(unsent(one, 'Not sent: the time was up'));
    const copies = Array.from({ length: one.times ?? 1 }, (_, copy) => once(one, copy));
    keep(worstOf(await Promise.all(copies)));
  }

  function keep(result: Result): void {
    results.set(result.case.name, result);
    deps.onResult([...results.values()]);
  }

  /**
   * Once more alone: a broken connection may be another delivery's fault, and whoever asks to come back later
   * is no worse for it.
   */
  async function trySecondTime({ case: one, outcome, retrySeconds }: Result): Promise<void> {
    if (outcome === 'dropped') {
      gone ||= !(await isBack());
      if (gone) return;
    } else if (patienceMs > 0) {
      const waitMs = Math.min((retrySeconds ?? 1) * 1000, longestWaitMs);
      patienceMs -= waitMs;
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
    await sendOne(one);
  }

  async function settle(cases: readonly Case[]): Promise<void> {
    for (const { name } of cases) {
      const result = results.get(name);
      if (gone || !result) continue;
      if (result.outcome === 'dropped' || result.outcome === 'later') await trySecondTime(result);
    }
  }

  async function isBack(): Promise<boolean> {
    for (let tries = 0; tries < 8 && !signal?.aborted; tries += 1) {
      const hello = { method: 'GET' as const, headers: { Connection: 'close' }, body: Buffer.alloc(0) };
      const answer = await exchange(hello, 1);
      if ('statusCode' in answer || answer.durationMs >= timeoutMs) return true;
      await delay(250);
    }
    return false;
  }

  return {
    mark,
    results,
    isGone: () => gone,
    async send(lists, lanes) {
      const waiting = lists.map((list) => list.filter((one) => isSendable(one, receiver.signing)));
      const work = async (): Promise<void> => {
        for (let list = waiting.shift(); list; list = waiting.shift()) {
          for (const one of list) {
            await sendOne(one);
            if (lanes === 1) await settle([one]);
          }
        }
      };
      const all = waiting.flat();
      await Promise.all(Array.from({ length: lanes }, work));
      if (lanes > 1) await settle(all);
    },
  };
}

async function* slowly(body: Buffer, pieces: number): AsyncGenerator<Buffer> {
  const size = Math.ceil(body.length / pieces);
  for (let from = 0; from < body.length; from += size) {
    if (from > 0) await delay(pieceGapMs);
    yield body.subarray(from, from + size);
  }
}
