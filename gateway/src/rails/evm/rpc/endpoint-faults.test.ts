import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { atRandom, type RpcFaults, startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { type Asked, startRpcServer } from '../../../../test/chain/rpc-server.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { testClock } from '../../../../test/support/fixtures.ts';
import { createEndpoints } from './endpoints.ts';

// What faults of endpoints do to a scan; those that lie or lag are in scan/agreement.test.ts.

const local = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = local.tokens['usdc-bep20']!;
const { db } = await testDatabase();
const first = await startRpcProxy(local.rpcUrl);
const second = await startRpcProxy(local.rpcUrl);

let scan: Scan;
let lines: string[];
let advance: (seconds: number) => void;

/** A scan by these endpoints; their clock and the scan's are one, which is moved by hand. */
async function open(rpcUrls: string[]): Promise<void> {
  const clock = testClock(new Date());
  const startMs = clock.now().getTime();
  const chain = local.config({ rpcUrls });
  const nowMs = () => clock.now().getTime() - startMs;
  const endpoints = createEndpoints({ chain, nowMs, timeoutMs: 1_000 });
  lines = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  scan = await openScan(db, local, { rpcUrls, endpoints, clock, log });
  ({ advance } = clock);
}

beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  first.mend();
  second.mend();
});

const isFinal = (each: string) => each.startsWith('final');

test.each<[string, Partial<RpcFaults>]>([
  ['is dead', { dead: true }],
  ['is silent', { silent: true }],
  ['is slow', { delayMs: 5_000 }],
  ['is asked too often', { tooOften: true }],
  ['is asked too often, and says for how long', { tooOften: true, retryAfterSeconds: 30 }],
  ['limits the rate with -32005', { rateLimited: true }],
  ['answers with a page', { garbage: 'page' }],
  ['answers with half of it', { garbage: 'truncated' }],
])('payments go on with the second endpoint when the first %s', async (_, faults) => {
  await open([first.url, second.url]);
  await scan.tick();
  Object.assign(first.faults, faults);
  const { id, address } = await scan.pay();
  await local.mined(await usdc.send(address, 5n));
  await local.mine(3);
  await scan.tick(2);
  expect(scan.standing(id)).toHaveLength(1);
  expect((await scan.scanner.health()).scan?.endpoints[0]).toMatchObject({ state: 'resting' });
  // What is booked rests on two endpoints: on one alone after two minutes.
  expect(scan.standing(id).filter(isFinal)).toEqual([]);
  for (let minute = 0; minute < 3; minute += 1) {
    advance(60);
    await scan.tick();
  }
  expect(scan.standing(id)).toEqual(['final 3 5']);
});

test.each<[string, Partial<RpcFaults>]>([
  ['ten blocks at once', { maxBlocks: 10 }],
  ['three logs at once', { maxResults: 3 }],
  ['no batches', { refusesBatches: true }],
  [
    'no batches, and ten blocks at once, and loses one answer in five',
    // Not each fifth one: rounds of as many exchanges would always lose the same.
    { refusesBatches: true, maxBlocks: 10, drops: atRandom(1, 0.2) },
  ],
])('a gap of many blocks is read without a hole by an endpoint that takes %s', async (_, faults) => {
  await open([first.url]);
  await scan.tick();
  const payment = await scan.pay();
  Object.assign(first.faults, faults);
  for (let count = 1n; count <= 8n; count += 1n) {
    await local.mined(await usdc.send(payment.address, count));
    await local.mine(25);
  }
  const areFinal = () => scan.standing(payment.id).filter(isFinal).length === 8;
  for (let rounds = 0; rounds < 40 && !areFinal(); rounds += 1) {
    await scan.tick();
    advance(10);
  }
  await scan.tick();
  expect(scan.standing(payment.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((units) => `final 3 ${units}`));
});

test('while all are down for an hour nothing is lost, and it is logged twice: when it begins and when it ends', async () => {
  await open([first.url, second.url]);
  const { id, address } = await scan.pay();
  await scan.tick();
  await db.query('UPDATE evm_chains SET verified_at = now()');
  first.faults.dead = true;
  second.faults.dead = true;
  const before = first.asked.exchanges;
  for (let minute = 0; minute < 60; minute += 1) {
    advance(60);
    await scan.tick(3);
    if (minute === 30) await local.mined(await usdc.send(address, 5n));
  }
  expect(await scan.scanner.health()).toMatchObject({
    status: 'down',
    lagSeconds: 3600,
    faults: [{ code: 'no_endpoint' }],
  });
  // Not thrice a minute, but as often as a rest of them ends.
  expect(first.asked.exchanges - before).toBeLessThan(200);
  first.mend();
  second.mend();
  await local.mine(3);
  advance(60);
  await scan.tick(2);
  expect(scan.standing(id)).toEqual(['final 3 5']);
  expect(await scan.scanner.health()).toMatchObject({ status: 'up', lagSeconds: 0, faults: [] });
  const told = lines.filter((line) => /cannot be read:|can be read again/.test(line));
  expect(told).toHaveLength(2);
});

test('an endpoint that comes back is the first choice again', async () => {
  await open([first.url, second.url]);
  first.faults.dead = true;
  await scan.tick(2);
  expect((await scan.scanner.health()).endpoint).toMatch(/#2$/);
  first.mend();
  advance(60);
  await local.mine(1);
  await scan.tick(2);
  const { scan: state } = await scan.scanner.health();
  expect(state?.endpoints.map((each) => each.state)).toEqual(['up', 'up']);
});

const word = (digit: string) => `0x${digit.repeat(64)}`;
const error = (message: string) => ({ error: { code: -32000, message } });
const timestamp = '0x6b000000';
const header = (number: string) => ({
  result: { number, hash: word('a'), parentHash: word('b'), timestamp },
});

test.each<[string, (call: Asked) => object]>([
  ['answers with words that no database takes', () => error('out of \u0000 order')],
  ['answers with half a character', () => error(`${'x'.repeat(40)}\ud83d`)],
  ['tells of a block beyond all numbers', () => header(word('f'))],
  [
    'tells of blocks that nobody else has',
    ({ params: [tag] }) => (`${tag}`.startsWith('0x') ? { result: null } : header('0xffffffff')),
  ],
])('payments go on with the second endpoint when the first %s', async (_, strange) => {
  const reply = (call: Asked) => ({
    ...{ jsonrpc: '2.0', id: call.id },
    ...(call.method === 'eth_chainId' ? { result: '0x7a69' } : strange(call)),
  });
  const liar = await startRpcServer((body) => ({
    body: Array.isArray(body) ? body.map(reply) : reply(body),
  }));
  await open([liar.url, second.url]);
  await scan.tick();
  const { id, address } = await scan.pay();
  await local.mined(await usdc.send(address, 5n));
  await local.mine(3);
  for (let seconds = 0; seconds < 120; seconds += 6) {
    advance(6);
    await scan.tick();
  }
  expect(scan.standing(id)).toEqual(['final 3 5']);
});
