import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerCore } from '../core/core.ts';
import { type Json, type Links, linksFrom } from '../views/links.ts';
import { pageJson } from '../views/page.ts';
import type { Fault, FaultQueue } from './faults.ts';
import { type Feed, itemsBeyond } from './feed.ts';
import type { Limiter } from './limit.ts';
import { type Answer, notFound, overLimit, serverError, staleHistory, timedOut } from './problems.ts';
import { keyOfCursor, readListQuery } from './query.ts';
import { findRoute } from './routes.ts';
import { openStream } from './stream.ts';
import { submitEnvelope } from './submit.ts';

export type ServerOptions = {
  core: LedgerCore;
  faults: FaultQueue;
  limiter: Limiter;
  /** Ledgers that it is behind its core. */
  lag: () => number;
  submitTimeoutMs: number;
  streamMs: number;
  /** Told when something waits for the next ledger. */
  submitted: () => void;
  streams: Set<() => void>;
};

/** Answers a request as Horizon does, or as the fault that it meets makes it. */
export async function answerRequest(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await answerOrFail(options, request, response);
  } catch {
    // The caller has gone, or asked for what nothing can be made of.
    if (response.headersSent) request.socket.destroy();
    else send(response, serverError(), {}, null);
  }
}

async function answerOrFail(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { core, faults, limiter, lag } = options;
  const base = `http://${request.headers.host ?? 'localhost'}`;
  const url = new URL(request.url ?? '/', base);
  const fault = faults.take(request.method ?? 'GET', `${url.pathname}${url.search}`);
  if (fault?.kind === 'reset') return void request.socket.destroy();
  if (fault?.kind === 'slow') await delay(fault.ms, undefined, { ref: false });
  const spent = limiter.spend(request.socket.remoteAddress ?? '');
  const asked: Asked = { options, request, response, url, base, fault };
  const answer =
    (spent.isOver ? overLimit() : null) ?? faultAnswer(fault, request) ?? (await answerTo(asked));
  if (fault?.kind === 'lost') return void request.socket.destroy();
  const latest = { 'latest-ledger': `${core.last().sequence - lag()}` };
  if (answer) send(response, answer, { ...latest, ...spent.headers }, fault);
}

type Asked = {
  options: ServerOptions;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  base: string;
  fault: Fault | null;
};

function faultAnswer(fault: Fault | null, { method }: IncomingMessage): Answer | null {
  if (fault?.kind === 'timeout' && !(fault.applies && method === 'POST')) return timedOut();
  if (fault?.kind === 'error') return fault.status === 503 ? staleHistory() : serverError();
  if (fault?.kind === 'html') {
    return { status: 200, body: '<!doctype html><title>Checking your browser</title>' };
  }
  if (fault?.kind !== 'rate_limited') return null;
  const seconds = `${fault.retryAfterSeconds ?? 60}`;
  const headers = {
    'x-ratelimit-limit': '101',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': seconds,
    'retry-after': seconds,
  };
  return { ...overLimit(), headers };
}

/** Null: it goes on as a stream. */
async function answerTo(asked: Asked): Promise<Answer | null> {
  const { request, url } = asked;
  if (request.method === 'POST') return url.pathname === '/transactions' ? await submit(asked) : notFound();
  return read(asked);
}

async function submit({ options, request, base, fault }: Asked): Promise<Answer> {
  const { core, submitTimeoutMs, submitted } = options;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const envelopeXdr = new URLSearchParams(Buffer.concat(chunks).toString()).get('tx');
  // Whoever loses the answer learns nothing of what was done.
  const isUnanswered = fault?.kind === 'timeout' || fault?.kind === 'lost';
  if (isUnanswered && envelopeXdr) core.submit(envelopeXdr);
  const answer = isUnanswered
    ? timedOut()
    : submitEnvelope(core, envelopeXdr, submitTimeoutMs, linksFrom(base));
  submitted();
  return await answer;
}

function read({ options, request, response, url, base, fault }: Asked): Answer | null {
  const { core, lag, limiter, streams } = options;
  const behind = lag() + (fault?.kind === 'stale' ? fault.ledgers : 0);
  const head = (): number => Math.max(1, core.last().sequence - behind);
  const isStream = request.headers.accept?.includes('text/event-stream') ?? false;
  const lastEventId = isStream ? request.headers['last-event-id'] : undefined;
  const query = readListQuery(url.searchParams, lastEventId?.toString());
  if ('status' in query) return query;
  const path = url.pathname.replace(/(?<=.)\/$/, '');
  const links = linksFrom(base);
  const found = findRoute({ core, head: head(), path, query });
  if ('status' in found) return found;
  if ('document' in found) return { status: 200, body: found.document(links) };
  const { feed } = found;
  const from = keyOfCursor(query.cursor, isStream ? 'asc' : query.order, head(), feed.shift);
  if (isStream) {
    const spend = () => limiter.spend(request.socket.remoteAddress ?? '');
    const { streamMs: lastsMs } = options;
    const isCut = fault?.kind === 'cut';
    const stream = { core, feed, from, limit: query.limit, head, spend, links, lastsMs, isCut };
    const end = openStream(response, stream);
    streams.add(end);
    response.on('close', () => streams.delete(end));
    return null;
  }
  const shown = fault?.kind === 'omits' ? without(feed, fault.isLeftOut, links) : feed;
  const items = fault?.kind === 'empty' ? [] : itemsBeyond(shown, from, { ...query, head: head() });
  return { status: 200, body: pageJson(path, query, items, links) };
}

/** A feed for one answer, as if some of its entries were not there. */
function without(feed: Feed, isLeftOut: (record: Json, place: number) => boolean, links: Links): Feed {
  let place = 0;
  return {
    ...feed,
    itemAt(index) {
      const item = feed.itemAt(index);
      return item && isLeftOut(item.json(links), place++) ? null : item;
    },
  };
}

function send(
  response: ServerResponse,
  answer: Answer,
  headers: Record<string, string>,
  fault: Fault | null,
): void {
  const isText = typeof answer.body === 'string';
  const status = (fault?.kind === 'rewrite' ? fault.status : undefined) ?? answer.status;
  const kind = status < 400 ? 'hal' : 'problem';
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : `application/${kind}+json; charset=utf-8`,
    'access-control-allow-origin': '*',
    ...headers,
    ...answer.headers,
  });
  const body = fault?.kind === 'rewrite' ? fault.rewrite(answer.body) : answer.body;
  const text = isText ? `${body}` : `${JSON.stringify(body, null, 2)}\n`;
  response.end(fault?.kind === 'truncated' ? text.slice(0, text.length / 2) : text);
}
