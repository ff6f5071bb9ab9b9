import { startChild } from '../child.ts';
import type { Driven } from '../closed-load.ts';
import { type RunningGateway, withGateway } from '../gateway.ts';
import type { RowOptions } from '../http-row.ts';
import { requestText } from '../lines.ts';
import type { Load } from '../load.ts';
import type { OpenFigure, OpenLoad } from '../open-load.ts';
import type { Case, Figure, RowResult } from '../result.ts';

const body = JSON.stringify({ amount: 12.5, currency: 'USDC', payment_type: 'deposit' });
/** Enough for three times the rate, each answered within a tenth of a second. */
const connections = 1_500;
/** The share of its limit that it handles without a queue: at the limit any load makes one. */
const ease = 0.8;
const steadyAnswers = 20;
const recoveryLimitMs = 60_000;

/** Creates at a rate that the gateway can handle, and at three times its limit. */
export async function overload({ seconds, progress }: RowOptions): Promise<RowResult> {
  return await withGateway(async (gateway) => {
    const closed = startChild<Load, Driven>('load.ts');
    const open = startChild<OpenLoad, OpenFigure>('open-load.ts');
    try {
      const limit = await limitOf(gateway, closed.ask, seconds);
      progress(`it takes ${Math.round(limit).toLocaleString('en')}/s from 256 connections`);
      const cases: Case[] = [];
      for (const times of [ease, 3]) {
        const name = `${times} x its limit`;
        const before = await countOf(gateway);
        const figure = await open.ask({
          port: gateway.port,
          request: requestText('PUT', '/payment/create', gateway.demo.secret_key, body),
          perSecond: limit * times,
          seconds,
          connections,
        });
        const recoveryMs = await untilSteady(gateway);
        const accepted = figure.byStatus['200']?.count ?? 0;
        assertKept((await countOf(gateway)) - before - recoveryMs.created, accepted, figure);
        const each = caseOf(name, figure, seconds, recoveryMs.ms);
        for (const [who, of] of Object.entries(each.figures))
          progress(`${name}, ${who}: ${JSON.stringify(of)}`);
        cases.push(each);
      }
      return { row: 'overload', title: 'Creates under an open load', cases };
    } finally {
      await Promise.all([closed.stop(), open.stop()]);
    }
  });
}

const headersOf = ({ demo }: RunningGateway) => ({
  authorization: `Bearer ${demo.secret_key}`,
  'content-type': 'application/json',
});

async function limitOf(
  gateway: RunningGateway,
  ask: (load: Load) => Promise<Driven>,
  seconds: number,
): Promise<number> {
  const load: Load = {
    ...{ port: gateway.port, method: 'PUT', headers: headersOf(gateway) },
    ...{ requests: [{ path: '/payment/create', body }], connections: 256, seconds },
  };
  await ask(load);
  const { perSecond } = (await ask(load)).figure;
  if (!perSecond) throw new Error('The gateway took no creates');
  return perSecond;
}

async function countOf({ db }: RunningGateway): Promise<number> {
  const { rows } = await db.query<{ count: number }>('SELECT count(*)::int AS count FROM payments');
  return rows[0]?.count ?? 0;
}

/** Waits until a number of creates in a row succeed; throws where that takes too long. */
async function untilSteady(gateway: RunningGateway): Promise<{ ms: number; created: number }> {
  const startMs = performance.now();
  let created = 0;
  let steadySinceMs = startMs;
  for (let inRow = 0; inRow < steadyAnswers; ) {
    const sentMs = performance.now();
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/payment/create`, {
      ...{ method: 'PUT', headers: headersOf(gateway), body },
    });
    await answer.body?.cancel();
    if (answer.status === 200) created++;
    if (inRow === 0) steadySinceMs = sentMs;
    inRow = answer.status === 200 ? inRow + 1 : 0;
    if (performance.now() - startMs > recoveryLimitMs) throw new Error('The gateway did not recover');
  }
  return { ms: steadySinceMs - startMs, created };
}

/** Throws where an answer is missing, or where the database does not have exactly the accepted payments. */
function assertKept(kept: number, accepted: number, { byStatus, withoutRetryAfter }: OpenFigure): void {
  const others = Object.keys(byStatus).filter((status) => !['200', '429', '503'].includes(status));
  if (others.length > 0) throw new Error(`Some requests were answered ${others.join(', ')}`);
  if (withoutRetryAfter > 0) throw new Error('A refusal did not say when to come again');
  if (kept !== accepted)
    throw new Error(`${accepted} creates were accepted, and ${kept} are in the database`);
}

function caseOf(name: string, { byStatus, cpu }: OpenFigure, seconds: number, recoveryMs: number): Case {
  const of = (...statuses: string[]): Figure | null => {
    const found = statuses.flatMap((status) => byStatus[status] ?? []);
    const count = found.reduce((sum, each) => sum + each.count, 0);
    if (count === 0) return null;
    const worst = (which: 'p50Ms' | 'p99Ms') => Math.max(...found.map((each) => each[which]));
    return { perSecond: count / seconds, p50Ms: worst('p50Ms'), p99Ms: worst('p99Ms'), generatorCpu: cpu };
  };
  const none: Figure = { perSecond: 0, p50Ms: null, p99Ms: null, generatorCpu: null };
  const refused = of('429', '503') ?? none;
  return {
    name,
    figures: {
      gateway: of('200') ?? none,
      refused,
      'itself again after': { perSecond: null, p50Ms: recoveryMs, p99Ms: null, generatorCpu: null },
    },
    runs: {},
    ratios: [],
    limits: { p99Ms: 150 },
  };
}
