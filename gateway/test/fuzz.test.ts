import { beforeAll, expect, test, vi } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { auditLedger, beginAudit } from '../src/ledger/audit.ts';
import { verifyChain } from '../src/operations/stamps/verify.ts';
import { type FuzzReport, figuresOf, play } from './fuzz/play.ts';
import { type RunningApp, startApp } from './support/running.ts';

// Any request at all: its answer is never a fault of ours, never late, and always what the document says.
// `npm run fuzz` plays many; here some thousands are played.

const requests = Number(process.env.FUZZ_REQUESTS ?? 3_000);
const seed = Number(process.env.FUZZ_SEED ?? 2026);
const from = Number(process.env.FUZZ_FROM ?? 0);

let app: RunningApp;
let report: FuzzReport;

beforeAll(async () => {
  app = await startApp({
    seed: { approved: true, allowPrivateWebhooks: true },
    resolve: { txt: async () => [], cname: async () => [], addresses: async () => [] },
  });
  await vi.waitFor(async () => expect((await fetch(`${app.baseUrl}/ready`)).status).toBe(200), 120_000);
  if (requests > 20_000) {
    await app.db.query('ALTER SYSTEM SET autovacuum = on');
    await app.db.query('SELECT pg_reload_conf()');
  }
  const before = process.cpuUsage();
  report = await play(app, { requests, seed, from, onProgress, onFault: console.log });
  const { user, system } = process.cpuUsage(before);
  if (process.env.FUZZ_REQUESTS === undefined) return;
  console.log(figuresOf(report));
  const cpuUs = Math.round((user + system) / report.requests);
  const clientUs = Math.round((report.clientMs * 1000) / report.requests);
  console.log(`seed ${seed}; CPU of a request: client ${clientUs} us, with the gateway ${cpuUs} us`);
}, 7_200_000);

function onProgress({ requests: done, faults }: FuzzReport): void {
  if (done > 0) console.log(`${done} requests, ${faults.length} faults`);
}

test('every request is answered in time, as documented, and without a fault of ours', () => {
  expect(report.requests).toBe(requests);
  expect(report.faults).toEqual([]);
});

test('nothing secret is in the log, and no request failed there', () => {
  const log = app.log();
  expect(log.match(/"level":(?:50|60).*/g) ?? []).toEqual([]);
  expect(log).not.toMatch(/sk_(?:test|live)_\w{32}|\$argon2|whsec_|florin\.session_token=/);
});

test('the ledger and the hash chain are whole afterwards', async () => {
  const ledger = await transaction(app.db, async (tx) => {
    await beginAudit(tx);
    return await auditLedger(tx);
  });
  expect(ledger.findings).toEqual([]);
  expect(ledger.transfers).toBeGreaterThan(0);
  const chain = await verifyChain(app.db, { from: 1n, heads: [] });
  expect(chain.fault).toBeNull();
});
