import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import { thinCheckpoints } from './blocks/checkpoints.ts';
import { createPace } from './blocks/pace.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const proxy = await startRpcProxy(local.rpcUrl);

let scan: Scan;
let lines: { level: number; msg: string; behind?: number; secondsLeft?: number }[];
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  proxy.mend();
  lines = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(chunk));
      done();
    },
  });
  scan = await openScan(db, local, { rpcUrls: [proxy.url], log: pino(stream) });
});
const fill = (count: number) =>
  db.query(
    `INSERT INTO evm_addresses (address, owner_id, chain_ids, treasury, created_at)
     SELECT '0x' || substr(md5(n::text) || md5('-' || n), 1, 40), gen_random_uuid(), '{31337}', '0x00', $2
     FROM generate_series(1, $1) n`,
    [count, scan.clock.now()],
  );
const callsOf = (method: string) => proxy.asked.methods.filter((each) => each === method).length;

describe('a transfer to one of', () => {
  test.each([
    ['2,500 addresses is asked for in three calls, beside one for the treasury', 2_500, 4],
    ['5,000 addresses is found among those of everybody', 5_000, 1],
  ])('%s', async (_, count, calls) => {
    await scan.tick();
    await fill(count);
    const { id, address } = await scan.pay();
    await send(address, 5n);
    const before = callsOf('eth_getLogs');
    await scan.tick();
    // Once for the new block, and once for one that became final behind it.
    expect(callsOf('eth_getLogs') - before).toBe(2 * calls);
    expect(scan.standing(id)).toEqual(['seen 1 5']);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});

test('a transfer that was found among everybody’s stays found when fewer are watched', async () => {
  await scan.tick();
  await fill(5_000);
  const { id, address } = await scan.pay();
  await send(address, 5n);
  await scan.tick();
  await db.query("UPDATE evm_addresses SET created_at = created_at - interval '91 days'");
  await scan.restart();
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
});

test('a fault is one line when it begins and one when it ends, however long it lasts', async () => {
  await scan.tick();
  proxy.faults.dead = true;
  await scan.tick(4);
  proxy.mend();
  // An endpoint rests after a fault.
  scan.clock.advance(10);
  await scan.tick();
  expect(lines.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/^Local cannot be read: /),
    'Local can be read again',
  ]);
  // The next one within a minute is told when it lasts.
  proxy.faults.dead = true;
  await scan.tick(2);
  expect(lines).toHaveLength(2);
  scan.clock.advance(60);
  await scan.tick(2);
  expect(lines).toHaveLength(3);
});

test('a long gap is reported with its length, and read to its end', async () => {
  await scan.tick();
  await local.mine(300);
  proxy.faults.maxBlocks = 1;
  proxy.faults.delayMs = 30;
  await scan.tick();
  expect(lines.map(({ msg }) => msg)).toEqual(['the scan of Local is catching up']);
  expect(lines[0]!.behind).toBeGreaterThan(50);
  expect(lines[0]!.secondsLeft).toBeGreaterThan(0);
  const { scan: progress } = await scan.scanner.health();
  expect(progress?.blocksBehind).toBe(lines[0]!.behind);
  expect(progress?.blocksPerSecond).toBeGreaterThan(0);
  proxy.mend();
  await expect
    .poll(async () => {
      await scan.tick();
      return (await scan.scanner.health()).scan?.blocksBehind;
    })
    .toBe(0);
  expect((await scan.scanner.health()).scan?.blocksPerSecond).toBeNull();
});

test('of the blocks that were noted long ago one in a thousand stays, and the first', async () => {
  await db.query(
    `INSERT INTO evm_blocks SELECT $1, n, '0x' || lpad(n::text, 64, '0'), 'one'
     FROM generate_series(10, 5000) n`,
    [scan.chain.id],
  );
  for (let final = 500n; final <= 5_000n; final += 500n) {
    await transaction(db, (tx) => thinCheckpoints(tx, scan.chain.id, final));
  }
  const { rows } = await db.query<{ number: bigint }>('SELECT number FROM evm_blocks ORDER BY number');
  const numbers = rows.map(({ number }) => number);
  expect(numbers.filter((number) => number < 4_744n)).toEqual([10n, 1_000n, 2_000n, 3_000n, 4_000n]);
  expect(numbers.filter((number) => number >= 4_744n)).toHaveLength(257);
});

test('a window is smaller the more its blocks hold', () => {
  const endpoint = { name: 'one', span: () => 100, batch: async () => [] };
  const pace = createPace();
  const blocks = () => pace.blocks(endpoint);
  expect(blocks()).toBe(16n);
  pace.note(16n, 6_000);
  expect(blocks()).toBe(8n);
  pace.note(8n, 3_000);
  expect(blocks()).toBe(8n);
  pace.note(2n, 5_001);
  expect(blocks()).toBe(1n);
  pace.note(1n, 50_000);
  expect(blocks()).toBe(1n);
  for (let count = 0; count < 20; count += 1) pace.note(blocks(), 0);
  expect(blocks()).toBe(100n);
});
