import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import { testClock } from '../../../../../test/support/fixtures.ts';
import { evmReadThrough } from '../../read-through.ts';

// A chain was read past a time only where two endpoints told the same of it: what one of them leaves out may have paid
// in time.

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));

let scan: Scan;
beforeEach(async () => {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, evm_second_readings',
  );
  // Without a bloom nothing else tells that logs are missing.
  for (const proxy of proxies) {
    proxy.mend();
    proxy.faults.bloom = 'missing';
  }
});

async function open(count: number): Promise<void> {
  const rpcUrls = proxies.slice(0, count).map(({ url }) => url);
  // Nothing becomes final here: it is all about what is only seen.
  const config = { finality: 'confirmations', confirmations: 50 } as const;
  const { timestamp } = await local.client.getBlock();
  // One clock for the chain and the gateway.
  const clock = testClock(new Date(Number(timestamp) * 1000));
  scan = await openScan(db, local, { rpcUrls, config, clock });
  await scan.tick();
}

/** A payment that was paid, and when; the first endpoint, which is asked first, may leave the transfer out. */
async function paid(isHidden = false): Promise<{ id: string; paidAt: Date }> {
  const { id, address } = await scan.pay();
  Object.assign(proxies[0]!.faults, { hides: isHidden, hidesReceipts: isHidden });
  await local.mined(await usdc.send(address, 5n));
  const { timestamp } = await local.client.getBlock();
  await local.client.increaseTime({ seconds: 60 });
  await local.mine(2);
  scan.clock.advance(62);
  return { id, paidAt: new Date(Number(timestamp) * 1000) };
}

async function readThrough(paymentId: string): Promise<Date> {
  const found = await evmReadThrough(db, paymentId, [scan.chain.id]);
  return found.get(scan.chain.id) ?? new Date(0);
}

async function later(seconds = 11): Promise<void> {
  scan.clock.advance(seconds);
  await scan.tick();
}

test.each([1, 2, 3])('with %i endpoints that report the same it is read up to its head', async (count) => {
  await open(count);
  const { id, paidAt } = await paid();
  await later();
  expect(scan.standing(id)).toEqual(['seen 3 5']);
  expect((await readThrough(id)) > paidAt).toBe(true);
});

test('while two endpoints differ about what is only seen it is not', async () => {
  await open(2);
  const { id, paidAt } = await paid(true);
  for (let count = 0; count < 10; count += 1) await later();
  expect(scan.standing(id)).toEqual([]);
  expect((await readThrough(id)) < paidAt).toBe(true);
  proxies[0]!.mend();
  proxies[0]!.faults.bloom = 'missing';
  await later(3600);
  await later();
  expect(scan.standing(id)).toEqual(['seen 3 5']);
  expect((await readThrough(id)) > paidAt).toBe(true);
});

test('what one of three leaves out is found before it could be final, and until then it is not', async () => {
  await open(3);
  const { id, paidAt } = await paid(true);
  await scan.tick();
  expect(scan.standing(id)).toEqual([]);
  expect((await readThrough(id)) < paidAt).toBe(true);
  await later();
  await later();
  expect(scan.standing(id)).toEqual(['seen 3 5']);
  expect((await readThrough(id)) > paidAt).toBe(true);
});

test('an endpoint whose others are silent for two minutes has to do', async () => {
  await open(2);
  const { id, paidAt } = await paid();
  proxies[1]!.faults.dead = true;
  await later();
  expect((await readThrough(id)) < paidAt).toBe(true);
  for (let count = 0; count < 20; count += 1) await later();
  expect((await readThrough(id)) > paidAt).toBe(true);
});
