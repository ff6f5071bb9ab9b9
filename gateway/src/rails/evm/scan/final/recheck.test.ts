import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { firstOnly } from '../../../../../test/chain/rpc-logs.ts';
import { startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import { silentLog } from '../../../../../test/support/fixtures.ts';
import type { Hex } from '../../config/chains.ts';
import { planMissed, planRecheck } from '../blocks/recheck-plan.ts';
import { createLookUp, type LookUpDeps } from '../look-up.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const [first, second] = await Promise.all([1, 2].map(() => startRpcProxy(local.rpcUrl)));

let scan: Scan;
beforeEach(async () => {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, evm_second_readings',
  );
  for (const proxy of [first!, second!]) {
    proxy.mend();
    // With a bloom the scan would wait for what is hidden.
    proxy.faults.bloom = 'missing';
  }
  scan = await openScan(db, local, { rpcUrls: [first!.url, second!.url] });
  await scan.tick();
});

/** A payment whose transfer both endpoints keep to themselves while its block is read. */
async function missed(confirmations: number) {
  const payment = await scan.pay();
  for (const proxy of [first!, second!]) proxy.faults.hides = true;
  const { blockNumber } = await send(payment.address, 5n);
  await local.mine(confirmations - 1);
  await scan.tick();
  for (const proxy of [first!, second!]) proxy.faults.hides = false;
  await scan.tick();
  expect(scan.standing(payment.id)).toEqual([]);
  return { ...payment, blockNumber };
}
const waiting = async () => (await db.query('SELECT block_number FROM evm_rechecks')).rows;

test('a transfer that was missed is booked when its block is read again', async () => {
  const { id, blockNumber } = await missed(4);
  await planRecheck(db, scan.chain.id, { blockNumber, due: scan.clock.now() });
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
  expect(await waiting()).toEqual([]);
});

test('one that is not final yet is seen then, and final in its time', async () => {
  const { id, blockNumber } = await missed(1);
  await planRecheck(db, scan.chain.id, { blockNumber, due: scan.clock.now() });
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 1 5']);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
});

test('a block is read again until both endpoints report the same of it', async () => {
  const { id, blockNumber } = await missed(4);
  second!.faults.hides = true;
  await planRecheck(db, scan.chain.id, { blockNumber, due: scan.clock.now() });
  await scan.tick(2);
  expect(scan.standing(id)).toEqual([]);
  expect(await waiting()).toHaveLength(1);
  second!.mend();
  scan.clock.advance(10);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
  expect(await waiting()).toEqual([]);
});

test('a block that is not there yet is read when it comes', async () => {
  const { id, address } = await scan.pay();
  const blockNumber = (await local.client.getBlockNumber()) + 1n;
  await planRecheck(db, scan.chain.id, { blockNumber, due: scan.clock.now() });
  await scan.tick();
  await send(address, 5n);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 1 5']);
  expect(await waiting()).toEqual([]);
});

test('an address that is no longer watched is found by its block, and final', async () => {
  const { id, address } = await scan.pay();
  await db.query("UPDATE evm_addresses SET created_at = created_at - interval '91 days'");
  const { blockNumber } = await send(address, 5n);
  await scan.tick();
  expect(scan.standing(id)).toEqual([]);
  await planRecheck(db, scan.chain.id, { blockNumber, due: scan.clock.now() });
  await scan.tick();
  expect(scan.standing(id)).toEqual(['seen 1 5']);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
});

test('what no address holds is not taken for a transfer that endpoints left out', async () => {
  for (const proxy of [first!, second!]) proxy.faults.balances = () => '0x0';
  await send((await scan.pay()).address, 5n);
  await local.mine(3);
  await scan.tick();
  for (let count = 0; count < 10; count += 1) {
    scan.clock.advance(60);
    await scan.scanner.readAgain();
  }
  const { rows } = await db.query(
    'SELECT number = target AS "hasRead", missed_at, target > 0 AS "hasBegun" FROM evm_second_readings ORDER BY round',
  );
  expect(rows[0]).toEqual({ hasRead: true, hasBegun: true, missed_at: null });
  await scan.tick();
  const { faults } = await scan.scanner.health();
  expect(faults.map(({ code }) => code)).toContain('not_credited');
});

describe('what a receipt shows and logs leave out', () => {
  /** Two payments, paid in one block of which the endpoints show the first log alone; the second one's transaction. */
  async function truncated(urls: string[]) {
    scan = await openScan(db, local, { rpcUrls: urls });
    await scan.restart();
    await scan.tick();
    for (const proxy of [first!, second!]) proxy.faults.alters = firstOnly(1);
    const [one, other] = [await scan.pay(), await scan.pay()];
    await local.client.setAutomine(false);
    await usdc.send(one.address, 5n);
    const transaction = await usdc.send(other.address, 6n);
    await local.mine(1);
    await local.client.setAutomine(true);
    await scan.tick();
    const { endpoints, chain } = scan;
    const recheck: LookUpDeps['recheck'] = (id, shown) => planMissed(db, id, shown, scan.clock.now());
    const lookUp = createLookUp({
      db,
      chains: [{ chain, endpoints }],
      recheck,
      now: () => new Date(),
      log: silentLog,
    });
    return { one, other, lookUp: () => lookUp(other.id, transaction) };
  }
  async function later(): Promise<void> {
    await local.mine(1);
    scan.clock.advance(60);
    await scan.tick();
  }

  test.each([1, 2])('is seen, and counts when it is final, with %i endpoints', async (count) => {
    const { one, other, lookUp } = await truncated([first!.url, second!.url].slice(0, count));
    expect(scan.standing(one.id)).toEqual(['seen 1 5']);
    expect(scan.standing(other.id)).toEqual([]);
    expect(await lookUp()).toBe('found');
    await later();
    expect(scan.standing(other.id)).toEqual(['seen 2 6']);
    for (let round = 0; round < 6; round++) await later();
    expect([scan.standing(one.id), scan.standing(other.id)]).toEqual([['final 3 5'], ['final 3 6']]);
    expect(await waiting()).toEqual([]);
  });

  test('is booked after its block was final', async () => {
    const { other, lookUp } = await truncated([first!.url]);
    for (let round = 0; round < 5; round++) await later();
    expect(scan.standing(other.id)).toEqual([]);
    expect(await lookUp()).toBe('found');
    await later();
    expect(scan.standing(other.id)).toEqual(['final 3 6']);
  });

  test('is looked for and shown while another endpoint has no such receipt, and is not booked', async () => {
    const { other, lookUp } = await truncated([first!.url, second!.url]);
    second!.faults.hidesReceipts = true;
    for (let round = 0; round < 4; round++) await later();
    // Whichever is asked says so: the one that has the receipt alone is believed as far as a preview.
    while ((await lookUp()) !== 'found') scan.clock.advance(60);
    for (let round = 0; round < 5; round++) await later();
    expect(scan.standing(other.id).filter((each) => each.startsWith('final'))).toEqual([]);
    const { faults } = await scan.scanner.health();
    expect(faults.map(({ code }) => code)).toContain('not_credited');
    second!.faults.hidesReceipts = false;
    scan.clock.advance(3_600);
    await later();
    expect(scan.standing(other.id)).toEqual(['final 3 6']);
  });
});
