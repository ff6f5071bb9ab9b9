import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { testClock } from '../../../../test/support/fixtures.ts';
import { after } from '../../../kit/clock.ts';
import { evmReadThrough } from '../read-through.ts';

// A transfer counts as of when its chain took it, whoever reads that and when; but never as of later than it was seen.

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const [honest, other] = [await startRpcProxy(local.rpcUrl), await startRpcProxy(local.rpcUrl)];

let scan: Scan;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  for (const proxy of [honest, other]) proxy.mend();
  const rpcUrls = [honest.url, other.url];
  // The gateway's clock is an hour ahead of the chain's: what counts cannot be mixed up.
  const clock = testClock(after(new Date(), 3600));
  scan = await openScan(db, local, { rpcUrls, clock, config: { finality: 'confirmations' } });
  await scan.tick();
});

async function minedAt(number?: bigint): Promise<Date> {
  const { timestamp } = await local.client.getBlock(number === undefined ? {} : { blockNumber: number });
  return new Date(Number(timestamp) * 1000);
}

test('transfers of different blocks of one window are reported with the time of each block', async () => {
  const { id, address } = await scan.pay();
  const times: Date[] = [];
  for (const units of [5n, 6n]) {
    await local.client.increaseTime({ seconds: 600 });
    await usdc.send(address, units);
    times.push(await minedAt());
  }
  await local.mine(2);
  await scan.tick();
  const told = scan.reported.filter(({ paymentId }) => paymentId === id);
  expect(told.map(({ units, takenAt }) => [units, takenAt])).toEqual([
    [5n, times[0]],
    [6n, times[1]],
  ]);
});

test('a time that one endpoint shifts is put right before the transfer is final', async () => {
  const { id, address } = await scan.pay();
  for (const proxy of [honest, other]) proxy.faults.blocksLateSeconds = 1200;
  await usdc.send(address, 5n);
  const right = await minedAt();
  // Whichever is asked first shifts the time; from then on the other one tells it as it is.
  await scan.tick();
  const [first] = scan.reported.filter(({ paymentId }) => paymentId === id);
  expect(first?.takenAt).toEqual(after(right, 1200));
  for (const proxy of [honest, other]) proxy.mend();
  await local.mine(4);
  for (let round = 0; round < 4; round++) {
    scan.clock.advance(31);
    await scan.tick();
  }
  const last = scan.reported.filter(({ paymentId }) => paymentId === id).at(-1);
  expect(last).toMatchObject({ state: 'final', takenAt: right });
});

describe('on a chain whose clock is an hour ahead', () => {
  /** The gateway's clock is that of the chain, of which both endpoints say that it is later. */
  async function ahead(setting: Partial<Scan['chain']> = {}): Promise<void> {
    await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_transfers, evm_addresses');
    for (const proxy of [honest, other]) proxy.faults.blocksLateSeconds = 3700;
    const config = { finality: 'confirmations' as const, ...setting };
    const clock = testClock(await minedAt());
    scan = await openScan(db, local, { rpcUrls: [honest.url, other.url], clock, config });
    await scan.tick();
  }
  const readThrough = async (paymentId: string) =>
    (await evmReadThrough(db, paymentId, [scan.chain.id])).get(scan.chain.id);

  test('a transfer came when it was seen first', async () => {
    await ahead();
    const { id, address } = await scan.pay();
    await usdc.send(address, 5n);
    scan.clock.advance(7);
    const seenAt = scan.clock.now();
    await scan.tick();
    for (let round = 0; round < 3; round++) {
      await local.mine(1);
      scan.clock.advance(31);
      await scan.tick();
    }
    const told = scan.reported.filter(({ paymentId }) => paymentId === id);
    expect(told.map(({ takenAt }) => takenAt)).toEqual(told.map(() => seenAt));
    expect(told.at(-1)?.state).toBe('final');
  });

  test('the chain is read past no time that has not come', async () => {
    await ahead();
    const { id } = await scan.pay();
    for (let round = 0; round < 6; round++) {
      await local.mine(2);
      scan.clock.advance(11);
      await scan.tick();
      const through = (await readThrough(id)) ?? new Date(0);
      expect(through <= scan.clock.now()).toBe(true);
    }
    expect(await readThrough(id)).toEqual(scan.clock.now());
  });
});

test('a chain whose clock is behind is read past the time of its blocks only while it makes none', async () => {
  // The gateway's clock is an hour ahead of the chain's.
  const { id } = await scan.pay();
  const readThrough = async () => (await evmReadThrough(db, id, [scan.chain.id])).get(scan.chain.id);
  for (let round = 0; round < 20; round++) {
    await local.mine(1);
    scan.clock.advance(11);
    await scan.tick();
  }
  expect(await readThrough()).toEqual(after(await minedAt(), -0.001));
  scan.clock.advance(119);
  await scan.tick();
  expect(await readThrough()).toEqual(after(await minedAt(), -0.001));
  scan.clock.advance(1);
  await scan.tick();
  scan.clock.advance(11);
  await scan.tick();
  expect(await readThrough()).toEqual(after(scan.clock.now(), -120));
});
