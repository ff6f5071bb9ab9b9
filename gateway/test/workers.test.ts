import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentedMetrics } from '../../ops/watching.ts';
import type { DemoFile } from '../src/demo/seed.ts';
import { type Database, openDatabase } from '../src/kit/db/db.ts';
import { connectEmbedded } from '../src/kit/postgres/embedded-postgres.ts';
import { type Api, createApi } from './support/api.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';

let dataDir: string;
let gateway: GatewayProcess;
let demo: DemoFile;
let api: Api;
let db: Database;

beforeAll(async () => {
  dataDir = await makeDataDir();
  gateway = await spawnGateway({ DATA_DIR: dataDir }, '--workers', '2');
  await gateway.ready;
  demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  api = createApi(gateway.url, demo.secret_key);
  db = openDatabase((await connectEmbedded(dataDir))!, 1);
});
afterAll(async () => {
  await db.end();
  await gateway.end('SIGTERM');
  await removeDataDir(dataDir);
});

/** The process ids of the workers that were started, the newest last. */
async function workers(): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>('SELECT pid FROM gateway_processes ORDER BY started_at');
  return rows.map(({ pid }) => pid);
}

async function metric(line: RegExp): Promise<string | undefined> {
  const answer = await fetch(`${gateway.metricsUrl}/metrics`);
  return line.exec(await answer.text())?.[1];
}

function newPayment(reference: string): object {
  return { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
}

test('workers and their supervisor serve as the role that owns nothing', async () => {
  const { rows } = await db.query<{ name: string; roles: string[] }>(
    `SELECT application_name AS name, array_agg(DISTINCT usename::text) AS roles FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'florin%'
     GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { name: 'florin', roles: ['florin_app'] },
    { name: 'florin hints', roles: ['florin_app'] },
  ]);
});

// Before the rest: the calls of the other tests are of the same address, whose limit counts here too.
test('attempts to sign in are counted in one place', async () => {
  const attempts = Array.from({ length: 30 }, () =>
    fetch(`${gateway.url}/console/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
    }),
  );
  const began = performance.now();
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  const refilled = Math.ceil((performance.now() - began) / 10_000);
  const tried = statuses.filter((status) => status !== 429).length;
  expect(tried).toBeGreaterThanOrEqual(10);
  expect(tried).toBeLessThanOrEqual(10 + refilled);
});

test('the ready line and the table are printed once, by the supervisor', async () => {
  expect(gateway.output().match(/Florin is ready/g)).toHaveLength(1);
  expect(gateway.output().match(/API reference/g)).toHaveLength(1);
  expect(await workers()).toHaveLength(2);
  expect(await workers()).not.toContain(gateway.child.pid);
});

test('metrics are of all workers: what is counted is summed, what is of a process bears its number', async () => {
  await Promise.all(Array.from({ length: 40 }, () => fetch(`${gateway.url}/health`)));
  const health = /^florin_http_requests_total\{method="GET",route="\/health",status="200"\} (\d+)$/m;
  await expect.poll(() => metric(health)).toBe('40');
  for (const name of ['1', '2', 'supervisor'])
    expect(
      await metric(new RegExp(`^process_resident_memory_bytes\\{worker="${name}"\\} (\\d+)`, 'm')),
    ).toBeDefined();
  expect(await metric(/^florin_workers (\d+)$/m)).toBe('2');
});

test('each metric is named as its kind is: counters end in _total, and nothing else does', async () => {
  const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind]) => ({ name, kind }));
  expect(kinds.length).toBeGreaterThan(40);
  expect(kinds.filter(({ name, kind }) => name.endsWith('_total') !== (kind === 'counter'))).toEqual([]);
  for (const { name } of kinds) expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
});

test('each metric has its line in docs/watching.md, and no other has', async () => {
  const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  const served = [...text.matchAll(/^# TYPE (florin_\w+) /gm)].map(([, name]) => name);
  expect(served.sort()).toEqual([...documentedMetrics].sort());
});

test('a page that one worker serves sees a payment that another one settled', async () => {
  const created = await api<{ PaymentURL: string }>('PUT', '/payment/create', { body: newPayment('SEEN-1') });
  const page = new URL(created.body.data.PaymentURL);
  page.pathname += '/events';
  // Each has a connection of its own, and the system spreads those over the workers.
  const streams = await Promise.all(Array.from({ length: 8 }, () => fetch(page)));
  const ends = streams.map(async ({ body }) => {
    let text = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('"payment_status":"completed"')) return 'completed';
    }
    return text;
  });
  await api('POST', '/test/payments/SEEN-1/simulate', { body: { outcome: 'success' } });
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 8 }, () => 'completed'));
});

test('a worker that is killed is started again, loses nothing, doubles nothing, and frees no lease', async () => {
  await db.query(
    `INSERT INTO leases (name, holder, held_until) VALUES ('of another', gen_random_uuid(), now() + interval '1 day')`,
  );
  const [victim] = await workers();
  const acknowledged: string[] = [];
  const references = Array.from({ length: 120 }, (_, index) => `KILL-${index}`);
  const waiting = [...references];
  async function customer(): Promise<void> {
    for (let reference = waiting.pop(); reference; reference = waiting.pop()) {
      const isPaid = await pay(reference);
      if (isPaid && acknowledged.push(reference) === 30) process.kill(victim!, 'SIGKILL');
    }
  }
  // What broke off is asked again, as a merchant's program does.
  async function pay(reference: string): Promise<boolean> {
    const made = await again(() => api('PUT', '/payment/create', { body: newPayment(reference) }));
    expect([200, 409]).toContain(made.status);
    const path = `/test/payments/${reference}/simulate`;
    const paid = await again(() => api('POST', path, { body: { outcome: 'success' } }));
    return paid.status < 500;
  }
  await Promise.all(Array.from({ length: 20 }, customer));
  expect(acknowledged.toSorted()).toEqual(references.toSorted());

  await expect.poll(() => metric(/^florin_worker_restarts_total (\d+)$/m)).toBe('1');
  await expect.poll(async () => (await workers()).length).toBe(3);
  expect((await workers()).slice(0, 2)).toContain(victim);
  const { rows } = await db.query<{ status: string; times: number }>(
    `SELECT status, count(*)::int AS times FROM payments WHERE reference LIKE 'KILL-%' GROUP BY status`,
  );
  expect(rows).toEqual([{ status: 'completed', times: references.length }]);
  const twice = await db.query(
    `SELECT cause_id, cause FROM ledger_transfers WHERE cause_id IS NOT NULL GROUP BY cause_id, cause HAVING count(*) > 1`,
  );
  expect(twice.rows).toEqual([]);
  const lease = await db.query(`SELECT FROM leases WHERE name = 'of another' AND held_until > now()`);
  expect(lease.rowCount).toBe(1);
});

test('a rate limit holds over both workers', async () => {
  expect((await api('PUT', '/payment/create', { body: newPayment('LIMIT-1') })).status).toBe(200);
  const began = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const answer = await fetch(`${gateway.url}/payment/info/LIMIT-1`);
      await answer.body?.cancel();
      return answer.status;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const allowed = statuses.filter((status) => status === 200).length;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  // 200 at once and 50 a second, less what calls before took of it.
  expect(allowed).toBeGreaterThanOrEqual(100);
  expect(allowed).toBeLessThanOrEqual(200 + Math.ceil(50 * seconds));
});

test('SIGTERM ends the supervisor with 0, and with it its workers', async () => {
  const all = await workers();
  expect(await gateway.end('SIGTERM')).toBe(0);
  for (const pid of all) expect(isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      // The connection broke with its worker.
    }
  }
}
