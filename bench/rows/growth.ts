import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../gateway/src/kit/clock.ts';
import type { Database } from '../../gateway/src/kit/db/db.ts';
import { oneRow } from '../../gateway/src/kit/db/one-row.ts';
import { createMonthTotals } from '../../gateway/src/ledger/month-totals.ts';
import { figuresSql } from '../../gateway/src/operations/stamps/sql.ts';
import { createTotals } from '../../gateway/src/payments/read/add-up.ts';
import { type Child, startChild } from '../child.ts';
import type { Driven } from '../closed-load.ts';
import { type Contest, runContest } from '../contest.ts';
import { withCpu } from '../cpu.ts';
import { type RunningGateway, withGateway } from '../gateway.ts';
import { type Dashboard, openDashboard, type PageCall, pageCalls } from '../growth/pages.ts';
import { compareStatements, forgetStatements } from '../growth/statements.ts';
import type { RowOptions } from '../http-row.ts';
import type { LivesReply, LivesRequest } from '../lives-load.ts';
import type { Load } from '../load.ts';
import type { Case, Figure, RowResult } from '../result.ts';
import { seed } from '../seed/seed.ts';
import { figureOf } from '../webhook-latency.ts';

const few = 10_000;
/** Each may take 1.3 times as long as with few payments. */
const aim = 0.77;
const connections = 64;
/** The seed has webhooks of a whole year. Deleting eleven months of them would take longer than all measurements. */
const keepsAll = { EVENT_RETENTION_DAYS: '400' };

/** One of the two gateways, and the programs that load it. */
type Side = {
  gateway: RunningGateway;
  dashboard: Dashboard;
  load: Child<Load, Driven>;
  lives: Child<LivesRequest, LivesReply>;
};
type Measure = (side: Side, seconds: number) => Promise<Figure>;

/** Every hot path, page and loop of a gateway with millions of payments, beside one with 10,000. */
export async function growth({ seconds, progress, payments }: RowOptions): Promise<RowResult> {
  const prepare = (count: number) => async (dataDir: string) => {
    const env = { DATA_DIR: dataDir, MASTER_KEY_FILE: join(dataDir, 'master.key'), DEMO: '1' };
    const begun = performance.now();
    await seed(env, { payments: `${count}`, full: true, indexesLast: true });
    progress(
      `${count.toLocaleString('en')} payments made in ${Math.round((performance.now() - begun) / 1000)} s`,
    );
  };
  const cases = await withSide(prepare(few), (small) =>
    withSide(prepare(payments), async (big) => await compare(small, big, { seconds, progress, payments })),
  );
  return { row: 'growth', title: `With ${payments.toLocaleString('en')} payments`, cases };
}

async function withSide<T>(
  prepare: (dataDir: string) => Promise<void>,
  work: (side: Side) => Promise<T>,
): Promise<T> {
  const run = async (gateway: RunningGateway): Promise<T> => {
    const load = startChild<Load, Driven>('load.ts');
    const lives = startChild<LivesRequest, LivesReply>('lives-load.ts');
    try {
      return await work({ gateway, load, lives, dashboard: await openDashboard(gateway) });
    } finally {
      await Promise.all([load.stop(), lives.stop()]);
    }
  };
  return await withGateway(run, { prepare, env: keepsAll, countsStatements: true });
}

async function compare(small: Side, big: Side, { seconds, progress }: RowOptions): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { gateway } of [small, big]) await untilCaughtUp(gateway.db);
  await Promise.all([small, big].map(({ gateway }) => forgetStatements(gateway.db)));
  const paths: [string, Measure][] = [
    ['created', (side, each) => playLives(side, 'create', { seconds: each })],
    ['completed', complete],
    ['read by reference', info],
    ['users funded', fund],
    ...pageCalls.map((page): [string, Measure] => [
      `dashboard, ${page.name}`,
      (side, each) => callPage(side, page, each / 5),
    ]),
  ];
  for (const [name, measure] of paths) {
    const contest: Contest = {
      name,
      contestants: [
        { name: 'gateway', measure: () => measure(big, seconds) },
        { name: `with ${few.toLocaleString('en')}`, measure: () => measure(small, seconds) },
      ],
      aims: { [`with ${few.toLocaleString('en')}`]: aim },
      warmUp: ({ name: who }) => measure(who === 'gateway' ? big : small, Math.min(seconds, 1) / 2),
    };
    cases.push(await runContest(contest, progress));
  }
  const amounts = await compareStatements(small.gateway.db, big.gateway.db);
  for (const { of, count } of amounts) progress(`${count.toFixed(2)} ${of}`);
  return [...cases, { name: 'statements', figures: {}, runs: {}, ratios: [], limits: {}, amounts }];
}

/** Waits for the loops that read all rows of a seeded database once: totals of payments and months, and the hash chain. */
async function untilCaughtUp(db: Database): Promise<void> {
  const addUpMonths = createMonthTotals(db);
  while (!(await addUpMonths())) await setTimeout(100);
  const addUpPayments = createTotals(db, systemClock);
  while (!(await addUpPayments()));
  const unstamped = async () => oneRow(await db.query<{ rows: number }>(figuresSql), 'unstamped rows').rows;
  while ((await unstamped()) > 0) await setTimeout(1_000);
}

const playLives = (
  { gateway, lives }: Side,
  task: LivesRequest['task'],
  length: { seconds: number } | { count: number },
): Promise<Figure> =>
  withCpu(gateway.processes, () =>
    lives.ask({ port: gateway.port, keys: [gateway.demo.secret_key], connections, task, ...length }),
  );

async function complete(side: Side, seconds: number): Promise<Figure> {
  await playLives(side, 'create', { count: Math.ceil(seconds * 4_000) });
  return await playLives(side, 'complete', { seconds });
}

async function info(side: Side, seconds: number): Promise<Figure> {
  // From all over the year.
  const { rows } = await side.gateway.db.query<{ reference: string }>(
    'SELECT reference FROM payments TABLESAMPLE SYSTEM (1) LIMIT 10000',
  );
  const requests = rows.map(({ reference }) => ({ path: `/payment/info/${reference}` }));
  return await drive(side, { method: 'GET', headers: {}, requests, seconds });
}

async function fund(side: Side, seconds: number): Promise<Figure> {
  const body = JSON.stringify({ username: 'john_doe', amount: 0.0001, currency: 'pi' });
  const authorization = `Bearer ${side.gateway.demo.secret_key}`;
  return await drive(side, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    requests: [{ path: '/payment/fund-user', body }],
    seconds,
  });
}

const drive = (
  { load, gateway }: Side,
  what: Pick<Load, 'method' | 'headers' | 'requests' | 'seconds'>,
): Promise<Figure> =>
  withCpu(gateway.processes, () => load.ask({ ...what, port: gateway.port, connections }));

async function callPage({ dashboard }: Side, page: PageCall, seconds: number): Promise<Figure> {
  const samplesMs: number[] = [];
  const end = performance.now() + seconds * 1000;
  do {
    const begun = performance.now();
    await dashboard.call(page);
    samplesMs.push(performance.now() - begun);
  } while (performance.now() < end);
  const total = samplesMs.reduce((sum, ms) => sum + ms, 0);
  return { ...figureOf(samplesMs), perSecond: (samplesMs.length * 1000) / total };
}
