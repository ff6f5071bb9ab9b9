import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { testClock } from '../../../../test/support/fixtures.ts';
import { after } from '../../../kit/clock.ts';

// A transfer counts as of when its chain took it, whoever reads that and when.

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
  for (const proxy of [honest, other]) proxy.faults.blocksLateSeconds = 7200;
  await usdc.send(address, 5n);
  const right = await minedAt();
  // Whichever is asked first shifts the time; from then on the other one tells it as it is.
  await scan.tick();
  const [first] = scan.reported.filter(({ paymentId }) => paymentId === id);
  expect(first?.takenAt).toEqual(after(right, 7200));
  for (const proxy of [honest, other]) proxy.mend();
  await local.mine(4);
  for (let round = 0; round < 4; round++) {
    scan.clock.advance(31);
    await scan.tick();
  }
  const last = scan.reported.filter(({ paymentId }) => paymentId === id).at(-1);
  expect(last).toMatchObject({ state: 'final', takenAt: right });
});
