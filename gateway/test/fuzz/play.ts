import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { answers } from '../../src/kit/http/answers.ts';
import type { RunningApp } from '../support/running.ts';
import { consoleCalls, documentedCalls, otherCalls } from './document.ts';
import { createJudge } from './judge.ts';
import { makeRequest } from './kinds.ts';
import { type Calls, type FuzzRequest, fieldOf, kinds } from './make.ts';
import { createRandom } from './random.ts';
import { createWire, type Exchange, sendRaw } from './wire.ts';
import { createWorld, type World } from './world.ts';

export type FuzzTerms = {
  requests: number;
  seed: number;
  /** The number of the first request: a single one of another run is played again with it. */
  from?: number;
  onFault?: (fault: FuzzFault) => void;
  /** Called from time to time. */
  onProgress?: (report: FuzzReport) => void;
};

export type FuzzFault = { seed: number; request: number; what: string; sent: string; received: string };

export type FuzzReport = {
  requests: number;
  /** Answers by kind of request and status; `closed`: none came. */
  counts: Map<string, Map<string, number>>;
  faults: FuzzFault[];
  /** CPU time of making requests and judging answers. */
  clientMs: number;
};

const players = 24;
const limitMs = 120_000;
const repairEvery = 3_000;
const mostFaults = 50;

/** Plays requests against a running gateway. Never more than a few dozen at once: it is not to be overloaded. */
export async function play(app: RunningApp, terms: FuzzTerms): Promise<FuzzReport> {
  const { requests, seed, from = 0 } = terms;
  const world = await createWorld(app);
  const calls: Calls = {
    api: await documentedCalls(app),
    console: consoleCalls(app),
    auth: otherCalls(app, '/console/auth/'),
    pages: otherCalls(app, '/pay').filter(({ path }) => /^\/pay(?:\/[\w/]+)?$/.test(path)),
    files: ['/app', '/docs', '/reference', '/logo', '/openapi', '/health', '/ready'].flatMap((each) =>
      otherCalls(app, each),
    ),
  };
  const refused = Compile(answers(Type.Null())['4xx'] as ReturnType<typeof Type.Object>);
  const judge = createJudge([app.liveSecretKey, ...world.keys.slice(6)], refused);
  const port = Number(new URL(app.baseUrl).port);
  const report: FuzzReport = { requests: 0, counts: new Map(), faults: [], clientMs: 0 };
  let next = from;
  let repairing = world.repair();

  async function playOn(): Promise<void> {
    const wire = createWire(port, limitMs);
    for (let number = next++; number < from + requests; number = next++) {
      if (number % repairEvery === repairEvery - 1) repairing = repairing.then(() => world.repair());
      await repairing;
      let startedMs = performance.now();
      const request = makeRequest(createRandom(seed, number), calls, world);
      report.clientMs += performance.now() - startedMs;
      const exchange = request.isRaw
        ? await sendRaw(port, request.bytes, limitMs)
        : await wire.ask(request.bytes, request.method);
      startedMs = performance.now();
      learn(request, exchange, world);
      const what = judge.fault(request, exchange);
      if (what !== null && report.faults.length < mostFaults) {
        const received = exchange.answers.map(({ status, body }) => `${status} ${body}`).join(' | ');
        const sent = shown(request.bytes);
        const fault = { seed, request: number, what, sent, received: received.slice(0, 600) };
        report.faults.push(fault);
        terms.onFault?.(fault);
      }
      count(report, request, exchange);
      report.clientMs += performance.now() - startedMs;
      if (report.requests % 20_000 === 0) terms.onProgress?.(report);
    }
    wire.close();
  }
  await Promise.all(Array.from({ length: players }, playOn));
  return report;
}

function count(report: FuzzReport, { kind }: FuzzRequest, { answers, end }: Exchange): void {
  report.requests += 1;
  const counts = report.counts.get(kind) ?? new Map<string, number>();
  report.counts.set(kind, counts);
  const outcome = `${answers.find(({ status }) => status >= 200)?.status ?? end}`;
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

/** What the answer names is named again later. */
function learn({ kind, call, person }: FuzzRequest, { answers }: Exchange, world: World): void {
  const [answer] = answers;
  if (!answer || (kind !== 'api' && kind !== 'console')) return;
  const { known } = world;
  const { status, body } = answer;
  if (status === 200) {
    const text = body.length > 4_000 ? body.slice(0, 4_000) : body;
    const reference = /"payment_?[rR]eference":"([^"\\]{1,100})"/.exec(text)?.[1];
    if (reference !== undefined) known.references.add(encodeURIComponent(reference));
    const ids = text.match(/"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}"/g);
    const id = ids?.[ids.length >> 1];
    if (id) known.ids.add(id.slice(1, -1));
    const page = /"PaymentURL":"[^"?]*\?([^"]+)"/.exec(text)?.[1];
    if (page !== undefined) known.pages.add(page);
  } else if (status === 400 && call && !call.body) {
    const fields = known.fields.get(call.path) ?? new Set<string>();
    for (const [, field] of body.matchAll(/"field":"([a-z_]{1,30})/g)) if (field) fields.add(field);
    const field = fieldOf(/"message":"([^"]*)"/.exec(body)?.[1] ?? '');
    if (field !== null) fields.add(field);
    known.fields.set(call.path, fields);
  } else if (status === 401 && kind === 'console' && person && body.includes('not_signed_in')) {
    world.lose(person);
  }
}

function shown(bytes: Buffer): string {
  const text = bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, (byte) =>
      byte === '\n'
        ? '\\n'
        : byte === '\r'
          ? '\\r'
          : `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  return text.length > 1500 ? `${text.slice(0, 1400)} … ${text.slice(-100)} (${bytes.length} bytes)` : text;
}

/** The counts as lines of a table. */
export function figuresOf({ counts }: FuzzReport): string {
  const statuses = [...new Set([...counts.values()].flatMap((each) => [...each.keys()]))].sort();
  const lines = kinds.map((kind) => {
    const own = counts.get(kind);
    const sum = [...(own?.values() ?? [])].reduce((a, b) => a + b, 0);
    return `| ${kind} | ${sum} | ${statuses.map((status) => own?.get(status) ?? 0).join(' | ')} |`;
  });
  const head = `| requests | all | ${statuses.join(' | ')} |`;
  return [head, head.replace(/[^|]+/g, ' --- '), ...lines].join('\n');
}
