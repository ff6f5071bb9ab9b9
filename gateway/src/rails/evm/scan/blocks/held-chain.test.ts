import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, expireLeases, testDatabase } from '../../../../../test/support/database.ts';
import { LeaseLost } from '../../../../kit/db/lease.ts';
import type { Hex } from '../../config/chains.ts';
import { takeChain, writeHeld } from './held-chain.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));

let one: Scan;
let other: Scan;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  one = await openScan(db, local);
  other = await openScan(db, local);
});
const expire = () => expireLeases(db);

test('of two processes one scans, and the other goes on when that one ends', async () => {
  const { id, address } = await one.pay();
  await send(address, 5n);
  await Promise.all([one.tick(), other.tick()]);
  const [working, waiting] = one.reported.length > 0 ? [one, other] : [other, one];
  expect(working.standing(id)).toEqual(['seen 1 5']);
  expect(waiting.reported).toEqual([]);
  await working.scanner.release();
  await local.mine(3);
  await waiting.tick();
  expect(waiting.standing(id)).toEqual(['final 3 5']);
});

test('a process that was stopped for longer than its lease writes nothing any more', async () => {
  const [first, second] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'];
  const held = (await takeChain(db, one.chain, first!))!;
  expect(await takeChain(db, one.chain, second!)).toBeNull();
  expect(await takeChain(db, one.chain, first!)).toEqual(held);
  await expire();
  const successor = (await takeChain(db, one.chain, second!))!;
  expect(successor.lease.fence).toBeGreaterThan(held.lease.fence);
  await expect(writeHeld(db, held, async () => {})).rejects.toThrow(LeaseLost);
  await writeHeld(db, successor, async () => {});
});

test('two processes that scan by turns, each with a lease that ran out, lose and double nothing', async () => {
  const { id, address } = await one.pay();
  for (let count = 0; count < 6; count += 1) {
    await send(address, BigInt(count + 1));
    const ticks = [one.tick(), expire().then(() => other.tick())];
    await Promise.all(ticks);
    await expire();
  }
  await local.mine(3);
  await other.tick();
  await expire();
  await one.tick();
  const told = [...one.reported, ...other.reported].filter(
    ({ paymentId, state }) => paymentId === id && state === 'final',
  );
  expect(told.map(({ units }) => units).sort()).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
});

test('treasuries of former configurations are remembered', async () => {
  await one.tick();
  await one.scanner.release();
  const treasury = `0x${'ab'.repeat(20)}` as const;
  const moved = await openScan(db, local, { config: { receiving: { kind: 'forwarder', treasury } } });
  await moved.tick();
  const { rows } = await db.query<{ treasuries: string[] }>('SELECT treasuries FROM evm_chains');
  expect(rows[0]!.treasuries).toHaveLength(2);
});
