import { beforeEach, expect, test } from 'vitest';
import { accounts, startChain } from '../../test/chain/chain.ts';
import { startRpcProxy } from '../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { testClock } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { resumePayouts, stopPayouts } from '../payouts/rules/stop.ts';
import { assignMove } from './assign.ts';
import { bookMove } from './moves.ts';
import { noteRestore } from './restore.ts';

// What left a treasury after a backup, as a real chain shows it, whose clock is not that of the gateway.

const { db } = await testDatabase();
const local = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = local.tokens['usdc-bep20']!;
const [one, other] = [await startRpcProxy(local.rpcUrl), await startRpcProxy(local.rpcUrl)];
const rail = `evm:${local.id}`;
const unread = `Payouts cannot go on after the restore yet: ${rail} has not been read up to the restore yet`;
const nobodys =
  "Payouts cannot go on after the restore yet: transfers that left since the backup and are nobody's yet: 1";

beforeEach(async () => {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, treasury_moves, treasury_restores, payout_stop',
  );
  for (const proxy of [one, other]) proxy.mend();
});

/** A chain that is read up to its end; `behind`: by so many seconds its blocks are older than the gateway's clock says. */
async function readChain(behind = 0): Promise<Scan> {
  const { timestamp } = await local.client.getBlock();
  const scan = await openScan(db, local, {
    ...{ rpcUrls: [one.url, other.url], clock: testClock(new Date((Number(timestamp) + behind) * 1000)) },
    config: {
      receiving: { kind: 'forwarder', treasury: accounts.payer.address.toLowerCase() as `0x${string}` },
    },
  });
  await live(scan);
  return scan;
}

/** Two rounds, a minute apart, and what they report is booked. */
async function live(scan: Scan): Promise<void> {
  for (let round = 0; round < 2; round++) {
    scan.clock.advance(60);
    await scan.tick();
  }
  const moved = scan.moved.splice(0);
  await transaction(db, async (tx) => {
    for (const move of moved) await bookMove(tx, move, { mode: 'live', now: scan.clock.now() });
  });
}

const pay = async (units: bigint) =>
  local.mined(await usdc.send('0x00000000000000000000000000000000000000aa', units));

async function restore(scan: Scan, backupAt: Date): Promise<void> {
  const at = scan.clock.now();
  await transaction(db, async (tx) => {
    await noteRestore(tx, { backupAt, at });
    await stopPayouts(tx, { reason: 'restored', by: 'florin restore', at });
  });
}
const resume = () =>
  transaction(db, (tx) => resumePayouts(tx, [rail])).catch((error: unknown) => (error as Error).message);

async function assignAll(scan: Scan): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    "SELECT ledger_id AS id FROM treasury_moves WHERE target = 'operator' AND owner_kind IS NULL",
  );
  const by = { accountId: newId(), reason: 'a shop ordered it' };
  for (const { id } of rows)
    await transaction(db, (tx) =>
      assignMove(tx, id, { owner: { kind: 'business', id: newId() }, ...by }, scan.clock.now()),
    );
}

test.each([-3_600, -30, 0, 30, 3_600])(
  'what left since the backup needs an owner where blocks are %i seconds older than the gateway thinks',
  async (behind) => {
    const scan = await readChain(behind);
    const backupAt = scan.clock.now();
    await pay(7n);
    await local.mine(4);
    scan.clock.advance(5);
    await restore(scan, backupAt);
    expect(await resume()).toBe(unread);
    await live(scan);
    expect(await resume()).toBe(nobodys);
    await assignAll(scan);
    expect(await resume()).toBe(true);
  },
);

test('what the backup knew to be nobody’s keeps nothing stopped', async () => {
  const scan = await readChain();
  await pay(5n);
  await local.mine(4);
  await live(scan);
  await restore(scan, scan.clock.now());
  await live(scan);
  expect(await resume()).toBe(true);
});

test('a block that is not final yet at the first sight of the chain may hold a payout', async () => {
  const scan = await readChain();
  const backupAt = scan.clock.now();
  await pay(7n);
  scan.clock.advance(5);
  await restore(scan, backupAt);
  await live(scan);
  expect(await resume()).toBe(unread);
  // Its block is replaced, and the payout is in a later one.
  await local.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
  await live(scan);
  expect(await resume()).toBe(unread);
  await pay(7n);
  await local.mine(4);
  await live(scan);
  expect(await resume()).toBe(nobodys);
});

test.each(['dead', 'behind the restore'])(
  'a chain counts as read by no endpoints that are %s',
  async (how) => {
    const scan = await readChain(-3_600);
    const backupAt = scan.clock.now();
    await pay(7n);
    await local.mine(4);
    await restore(scan, backupAt);
    for (const { faults } of [one, other]) {
      if (how === 'dead') faults.dead = true;
      else faults.blocksLateSeconds = -4 * 3_600;
    }
    await live(scan);
    expect(await resume()).toContain(unread);
  },
);

test('one endpoint of two is not believed that nothing left, however long the other one is silent', async () => {
  const scan = await readChain();
  const backupAt = scan.clock.now();
  await pay(7n);
  await local.mine(4);
  await restore(scan, backupAt);
  one.faults.hides = true;
  other.faults.dead = true;
  for (let count = 0; count < 4; count++) await live(scan);
  expect(await resume()).toBe(unread);
  one.mend();
  other.mend();
  for (let count = 0; count < 30; count++) await live(scan);
  expect(await resume()).toBe(nobodys);
});

test('a chain that sends is read though nobody has a balance there, and one that was never read counts as unread', async () => {
  const at = new Date();
  await transaction(db, (tx) => noteRestore(tx, { backupAt: at, at }));
  const refused = transaction(db, (tx) => resumePayouts(tx, ['evm:1', 'pi']));
  await expect(refused).rejects.toThrow(/evm:1 has not been read.*pi has not been read/);
});

test('a second restore asks for what left since the first backup, and for a reading of its own', async () => {
  const scan = await readChain(30);
  const backupAt = scan.clock.now();
  await pay(7n);
  await local.mine(4);
  await restore(scan, backupAt);
  await live(scan);
  await restore(scan, scan.clock.now());
  expect(await resume()).toContain('has not been read');
  await live(scan);
  expect(await resume()).toBe(nobodys);
});
