import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));

let scan: Scan;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  scan = await openScan(db, local);
});

test('a payment whose report fails waits ever longer, and holds up no other', async () => {
  const [bad, good] = [await scan.pay(), await scan.pay()];
  let tries = 0;
  scan.onReport = ({ paymentId }) => {
    if (paymentId !== bad.id) return;
    tries += 1;
    throw new Error('not now');
  };
  await send(bad.address, 5n);
  await send(good.address, 6n);
  await scan.tick(3);
  expect(scan.standing(good.id)).toEqual(['seen 1 6']);
  // With the other one, and then alone.
  expect(tries).toBe(2);
  for (const [seconds, expected] of [
    [1, 3],
    [1, 3],
    [1, 4],
    [3, 4],
    [1, 5],
  ] as const) {
    scan.clock.advance(seconds);
    await scan.tick();
    expect([seconds, tries]).toEqual([seconds, expected]);
  }
  scan.onReport = null;
  scan.clock.advance(300);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(bad.id)).toEqual(['final 3 5']);
});

test('a payment whose report met a deadlock is reported again at once', async () => {
  const { id, address } = await scan.pay();
  let tries = 0;
  scan.onReport = () => {
    tries += 1;
    // More than one transaction of a report tries by itself.
    if (tries <= 5) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  };
  await send(address, 5n);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 1 5']);
});

test('nothing is reported twice, and confirmations only when they changed', async () => {
  const { id, address } = await scan.pay();
  await send(address, 5n);
  await scan.tick(3);
  await local.mine(1);
  await scan.tick(3);
  await local.mine(2);
  await scan.tick(3);
  await local.mine(10);
  await scan.tick(3);
  const lines = scan.reported.filter(({ paymentId }) => paymentId === id);
  expect(lines.map(({ state, confirmations }) => `${state} ${confirmations}`)).toEqual([
    'seen 1',
    'seen 2',
    'final 3',
  ]);
});

test('what came and went before it could be reported is not reported', async () => {
  const { id, address } = await scan.pay();
  scan.onReport = () => {
    throw new Error('not now');
  };
  await send(address, 5n);
  await scan.tick();
  await local.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
  scan.onReport = null;
  scan.clock.advance(300);
  await scan.tick(2);
  expect(scan.standing(id)).toEqual([]);
});

test('a payment with dust by the hundred holds up no other, neither when it is new nor when it is confirmed', async () => {
  const [dusty, good] = [await scan.pay(), await scan.pay()];
  const dust = Array.from({ length: 60 }, () => ({ to: dusty.address, units: 1n }));
  for (let count = 0; count < 3; count += 1) await local.mined(await usdc.sendMany(dust));
  await send(good.address, 6n);
  await scan.tick();
  expect(scan.reported).toHaveLength(181);
  expect(scan.reported.findIndex(({ paymentId }) => paymentId === good.id)).toBeLessThan(60);
  const late = await scan.pay();
  await send(late.address, 7n);
  await scan.tick();
  expect(scan.reported.slice(181).findIndex(({ paymentId }) => paymentId === late.id)).toBeLessThan(60);
});
