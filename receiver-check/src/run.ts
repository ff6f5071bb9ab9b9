import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answerOf, type SendResult, unsent, worstOf } from './answer.ts';
import { type Case, isSendable } from './case.ts';
import { createEventMaker, plainHeaders, type Signing, signaturesOf } from './delivery.ts';
import type { OtherSecret } from './probes.ts';

/** One request to the receiver. A stream is sent as it comes. */
export type CheckRequest = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: Buffer | Readable;
};

/** Sends one request to the receiver, without following redirects. Never rejects. */
export type Send = (request: CheckRequest) => Promise<SendResult>;

export type Receiver = {
  send: Send;
  /** After how long `send` gives up. */
  timeoutMs: number;
  /** The merchant's own headers. Their values are never shown. */
  headers: Record<string, string>;
  signing: Signing;
  /** Secrets that it may hold by mistake. */
  otherSecrets: readonly OtherSecret[];
  integrationId: string;
};

export type RunDeps = {
  receiver: Receiver;
  now: () => Date;
  /** No exchange begins later than this after the run began. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
  /** Called after every exchange. */
  onAnswer(answers: readonly Answer[]): void;
};

export type Run = {
  /** The mark in the references of this run's payments. */
  mark: string;
  answers: ReadonlyMap<string, Answer>;
  /** Sends cases, `atOnce` of them at the same time; the cases of an inner list one after the other. */
  send(cases: readonly (Case | readonly Case[])[], atOnce?: number): Promise<void>;
  /** Whether nothing answers at the address any more. */
  isGone(): boolean;
};

const pieceGapMs = 150;
/** The longest wait for a receiver that asks to come back later. */
const longestWaitMs = 3_000;
/** All such waits of one run together. */
const waitBudgetMs = 3 * longestWaitMs;
/** Shorter values of headers are no secrets, and occur in many words. */
const shortestSecret = 6;
const markLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Sends requests and deliveries to one receiver. */
function createSender(receiver: Receiver, eventOf: ReturnType<typeof createEventMaker>, now: () => Date) {
  const { signing, timeoutMs } = receiver;
  const hide = Object.values(receiver.headers).filter(({ length }) => length >= shortestSecret);

  /** Each request has a connection of its own, so that none fails because of another. */
  async function exchange(request: CheckRequest): Promise<SendResult> {
    const headers = { ...receiver.headers, ...request.headers, Connection: 'close' };
    return await receiver.send({ ...request, headers });
  }

  /** One delivery of a case; `copy` counts those that are sent at the same moment. */
  async function deliver(one: Case, copy: number): Promise<Answer> {
    const event = eventOf(one.apart ? { ...one, payment: `${one.payment}_${copy + 1}` } : one);
    const at = new Date(now().getTime() + (one.shiftSeconds ?? 0) * 1000);
    const headers = { ...plainHeaders(event, at), ...signaturesOf(event.id, event.body, signing, at) };
    const all = { ...headers, ...one.headers?.({ event, signing, at, headers }) };
    const body = one.tamper ? Buffer.from(one.tamper(event.body.toString())) : event.body;
    const request = one.method === 'GET' ? bareGet : { method: 'POST' as const, headers: present(all), body };
    const result = await exchange(one.pieces ? inPieces(request, body, one.pieces) : request);
    return answerOf(one, result, { timeoutMs, hide });
  }

  return { exchange, deliver };
}

/** Sends deliveries to one receiver and keeps its answers. */
export function createRun({ receiver, now, budgetMs, signal, onAnswer }: RunDeps): Run {
  const { signing, timeoutMs } = receiver;
  const mark = Array.from({ length: 6 }, () => markLetters[randomInt(markLetters.length)]).join('');
  const { exchange, deliver } = createSender(
    receiver,
    createEventMaker(mark, receiver.integrationId, now),
    now,
  );
  const answers = new Map<string, Answer>();
  const started = performance.now();
  let gone = false;
  let waitedMs = 0;

  async function sendOne(one: Case): Promise<void> {
    if (signal?.aborted) return;
    keep(await answerTo(one));
  }

  async function answerTo(one: Case): Promise<Answer> {
    if (gone) return unsent(one, 'Not sent: the receiver was gone');
    if (performance.now() - started > budgetMs) return unsent(one, 'Not sent: the time was up');
    return worstOf(
      await Promise.all(Array.from({ length: one.times ?? 1 }, (_, copy) => deliver(one, copy))),
    );
  }

  function keep(answer: Answer): void {
    answers.set(answer.name, answer);
    onAnswer([...answers.values()]);
  }

  /**
   * Sends a case once more, alone: after a broken connection, which another delivery may have caused, and after a
   * request to come back later.
   */
  async function retry({ name }: Case): Promise<void> {
    const answer = answers.get(name);
    if (gone || !answer) return;
    if (answer.outcome === 'dropped') {
      gone = !(await isBack());
      if (!gone) await sendOne(answer.case);
    } else if (answer.outcome === 'later') {
      await waitFor(answer);
      await sendOne(answer.case);
    }
  }

  async function waitFor({ retrySeconds }: Answer): Promise<void> {
    if (waitedMs >= waitBudgetMs) return;
    const waitMs = Math.min((retrySeconds ?? 1) * 1000, longestWaitMs);
    waitedMs += waitMs;
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }

  async function isBack(): Promise<boolean> {
    for (let tries = 0; tries < 8 && !signal?.aborted; tries += 1) {
      const result = await exchange(bareGet);
      if ('statusCode' in result || result.durationMs >= timeoutMs) return true;
      await delay(250);
    }
    return false;
  }

  return {
    mark,
    answers,
    isGone: () => gone,
    async send(cases, atOnce = 1) {
      const lists = cases.map((each) => [each].flat().filter((one) => isSendable(one, signing)));
      const sent = lists.flat();
      const work = async (): Promise<void> => {
        for (let list = lists.shift(); list; list = lists.shift()) {
          for (const one of list) {
            await sendOne(one);
            if (atOnce === 1) await retry(one);
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      if (atOnce > 1) for (const one of sent) await retry(one);
    },
  };
}

const bareGet: CheckRequest = { method: 'GET', headers: {}, body: Buffer.alloc(0) };

function present(headers: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function inPieces(request: CheckRequest, body: Buffer, pieces: number): CheckRequest {
  const headers = { ...request.headers, 'Content-Length': `${body.length}` };
  return { ...request, headers, body: Readable.from(slowly(body, pieces)) };
}

async function* slowly(body: Buffer, pieces: number): AsyncGenerator<Buffer> {
  const size = Math.ceil(body.length / pieces);
  for (let from = 0; from < body.length; from += size) {
    if (from > 0) await delay(pieceGapMs);
    yield body.subarray(from, from + size);
  }
}
