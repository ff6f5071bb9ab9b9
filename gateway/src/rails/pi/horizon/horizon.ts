import { systemClock } from '../../../kit/clock.ts';
import { type Agent, request } from '../../../kit/net/undici.ts';
import { createSecretHider, targetOf } from '../../endpoint-address.ts';
import {
  describeExchange,
  EndpointFault,
  type FaultKind,
  isBroken,
  kindOfExchange,
  retryAfterMs,
} from '../../endpoint-fault.ts';

/** A fault of a Horizon: it is not asked for a while, and another one is. */
export class HorizonFault extends EndpointFault {}

export type Json = Readonly<Record<string, unknown>>;

/** One Horizon, by its HTTP interface. */
export type Horizon = {
  /** Host and place in the configuration: what may be shown. */
  name: string;
  /** Answers a GET of a path below its address; null where it has no such thing. Throws HorizonFault. */
  get(path: string): Promise<Json | null>;
  /**
   * Submits a signed envelope in base 64. `taken`: it is in a ledger, and successful; `refused`: `body` says why; it may
   * be in a ledger or not. Throws HorizonFault after any other answer: the envelope may be in a ledger now or later.
   */
  submit(envelope: string): Promise<{ outcome: 'accepted' | 'refused'; body: Json }>;
  /** Calls `onEvent` for each event of a path until the stream ends. Throws HorizonFault. */
  stream(path: string, onEvent: (event: StreamEvent) => void, signal: AbortSignal): Promise<void>;
};

/** A line-by-line event of a stream; `event` is `message` where none is named. */
type StreamEvent = { event: string; data: string };

export type HorizonOptions = {
  name: string;
  /** May hold a key; it never leaves this module. */
  url: string;
  timeoutMs: number;
  /** For a submission, which Horizon answers when the next ledger or two have closed. */
  submitMs: number;
  agent: Agent;
};

/** A stream without events for this long is dead: Horizon ends each stream after about a minute. */
const silentMs = 120_000;

type Reply = { status: number; body: Json | null; retryAfter: number | undefined };

/** Makes the client of one Horizon. Nothing is asked until it is used. */
export function createHorizon({ name, url, timeoutMs, submitMs, agent }: HorizonOptions): Horizon {
  const target = targetOf(url.replace(/\/$/, ''));
  const base = target.address.replace(/\/$/, '');
  const hide = createSecretHider(url);

  const fault = (kind: FaultKind, why: string, retryAfter?: number) =>
    new HorizonFault(kind, `${name}: ${hide(why)}`, retryAfter);

  async function exchange(path: string, form: string | null, limitMs: number): Promise<Reply> {
    const response = await request(`${base}${path}`, {
      method: form === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...target.headers,
      },
      body: form,
      dispatcher: agent,
      signal: AbortSignal.timeout(limitMs),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: parsed(text), retryAfter: restOf(response.headers) };
  }

  async function ask(path: string, form: string | null, limitMs: number): Promise<Reply> {
    try {
      // A submission is not repeated by itself, though the network would take it only once.
      const again = (error: Error) =>
        form === null && isBroken(error) ? exchange(path, form, limitMs) : Promise.reject(error);
      return await exchange(path, form, limitMs).catch(again);
    } catch (error) {
      throw fault(kindOf(error as Error), describeExchange(error as Error, limitMs));
    }
  }

  function statusFault({ status, body, retryAfter }: Reply): HorizonFault {
    const title = typeof body?.title === 'string' ? ` ${body.title}` : '';
    return fault(kindOfStatus(status), `answered ${status}${title}`, retryAfter);
  }

  return {
    name,
    async get(path) {
      const reply = await ask(path, null, timeoutMs);
      const { status, body } = reply;
      if (status === 200 && body) return body;
      // A server that is no Horizon answers 404 too, but without a problem in Horizon's form.
      if (status === 404 && body?.status === 404) return null;
      if (status === 200 || status === 404) {
        throw fault('nonsense', `answered ${status} with what is not Horizon's`);
      }
      throw statusFault(reply);
    },
    async submit(envelope) {
      const reply = await ask('/transactions', new URLSearchParams({ tx: envelope }).toString(), submitMs);
      const { status, body } = reply;
      if (status === 200 && body) return { outcome: 'accepted', body };
      if (status === 400 && body && hasResult(body)) return { outcome: 'refused', body };
      throw statusFault(reply);
    },
    async stream(path, onEvent, signal) {
      try {
        const response = await request(`${base}${path}`, {
          headers: { accept: 'text/event-stream', ...target.headers },
          dispatcher: agent,
          signal,
          headersTimeout: timeoutMs,
          bodyTimeout: silentMs,
        });
        const { statusCode: status, headers, body } = response;
        if (status !== 200 || !String(headers['content-type']).startsWith('text/event-stream')) {
          await body.dump();
          throw fault(kindOfStatus(status), `answered ${status} instead of a stream`, restOf(headers));
        }
        const read = eventReader(onEvent);
        for await (const chunk of body.setEncoding('utf8')) read(chunk);
      } catch (error) {
        if (error instanceof HorizonFault) throw error;
        throw fault(kindOfExchange(error as Error), describeExchange(error as Error, silentMs));
      }
    },
  };
}

/** An answer that is too long may be shorter where less is asked for. */
const kindOf = (error: Error & { code?: string }): FaultKind =>
  error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'too_much' : kindOfExchange(error);

/** Whether a problem is about the envelope, and not about the form of the request. */
const hasResult = ({ extras }: Json): boolean => isJson(extras) && isJson(extras.result_codes);

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

function kindOfStatus(status: number): FaultKind {
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 503) return 'behind';
  if (status >= 400 && status < 500) return 'refused';
  return status >= 200 && status < 300 ? 'nonsense' : 'unreachable';
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How long it asks not to be called: a header of Horizon's own says when its hour is over. */
function restOf(headers: Headers): number | undefined {
  const asked = retryAfterMs(headers['retry-after'], systemClock());
  if (asked !== undefined) return asked;
  return headers['x-ratelimit-remaining'] === '0'
    ? retryAfterMs(headers['x-ratelimit-reset'], systemClock())
    : undefined;
}

/** Reads events out of the pieces of a stream. */
function eventReader(onEvent: (event: StreamEvent) => void): (chunk: string) => void {
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  function line(text: string): void {
    if (text === '') {
      if (data.length > 0) onEvent({ event, data: data.join('\n') });
      event = 'message';
      data = [];
      return;
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(text) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return (chunk) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const each of lines) line(each);
  };
}
