import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';

// How far the chain is: heads that are made up, stand still, or lag.

const { db } = await testDatabase();
const local = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = local.tokens['usdc-bep20']!;
const [first, second, third] = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));
const proxies = [first!, second!, third!];
const leap = 2_000;

let scan: Scan;
let errors: string[];
async function open(count: number): Promise<void> {
  const log = pino({ level: 'error' }, { write: (line) => errors.push(line) });
  scan = await openScan(db, local, { rpcUrls: proxies.slice(0, count).map(({ url }) => url), log });
  await scan.tick();
}
beforeEach(async () => {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, evm_second_readings',
  );
  for (const proxy of proxies) proxy.mend();
  errors = [];
  await local.mine(5);
});

const height = () => local.client.getBlockNumber();
const cursors = async () => {
  const { rows } = await db.query<{ seen: bigint; final: bigint }>(
    'SELECT seen_number AS seen, final_number AS final FROM evm_chains',
  );
  return rows[0]!;
};
const faultsOf = async (code: string) =>
  (await scan.scanner.health()).faults.filter((fault) => fault.code === code).map(({ message }) => message);
/** The endpoint at this place makes blocks up from now on. */
const lie = async (at: number) => {
  proxies[at]!.faults.madeUp = { after: await height(), blocks: leap, isFinal: true };
};
/** Pays, and lets the payment become final. */
async function paid(): Promise<string> {
  const { id, address } = await scan.pay();
  await local.mined(await usdc.send(address, 5n));
  await local.mine(3);
  return id;
}
async function ticks(times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    scan.clock.advance(1);
    await scan.tick();
  }
}
/** The endpoints that answer tell of blocks that are made up, and the others have been silent for two minutes. */
async function readLie(): Promise<void> {
  for (const proxy of proxies.slice(1)) proxy.faults.dead = true;
  await ticks(1);
  await lie(0);
  for (let seconds = 0; seconds < 250; seconds += 10) {
    scan.clock.advance(10);
    await scan.tick();
  }
  expect((await cursors()).seen).toBe((await height()) + BigInt(leap));
}

describe.each([2, 3])('with %i endpoints', (count) => {
  beforeEach(() => open(count));

  test.each([0, 1])('a head that the one at %i makes up moves no cursor, and delays nothing', async (at) => {
    const before = await height();
    await lie(at);
    await ticks(4);
    expect((await cursors()).seen).toBeLessThanOrEqual(before);
    proxies[at]!.mend();
    const id = await paid();
    await ticks(1);
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(errors).toEqual([]);
  });

  test.each([0, 1])('payments are shown again at once after the one at %i made up blocks', async (at) => {
    await lie(at);
    const id = await paid();
    await ticks(4);
    expect((await cursors()).seen).toBeLessThanOrEqual(await height());
    proxies[at]!.mend();
    await ticks(2);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('cursors that stand at a made-up head come back by themselves, and undo no booking', async () => {
    const before = await paid();
    await ticks(1);
    await readLie();
    expect((await cursors()).final).toBeGreaterThan(await height());
    for (const proxy of proxies) proxy.mend();
    await scan.restart();
    const id = await paid();
    await expect
      .poll(async () => {
        await ticks(1);
        return scan.standing(id);
      })
      .toEqual(['final 3 5']);
    expect(scan.standing(before)).toEqual(['final 3 5']);
    expect((await cursors()).seen).toBe(await height());
  });

  test('the first block of a scan is not taken from one that makes blocks up', async () => {
    await emptyTables(db, 'leases, evm_chains, evm_blocks');
    await lie(0);
    const rpcUrls = proxies.slice(0, count).map(({ url }) => url);
    scan = await openScan(db, local, { rpcUrls, config: { startBlock: null } });
    await ticks(2);
    first!.mend();
    await ticks(1);
    const id = await paid();
    await ticks(2);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('one whose head stands still delays nothing for longer than it takes to know', async () => {
    second!.faults.standsAt = await height();
    const rest = async () => {
      scan.clock.advance(10);
      await local.mine(1);
      await scan.tick();
    };
    const id = await paid();
    for (let seconds = 0; seconds <= 40; seconds += 10) await rest();
    expect(scan.standing(id)).toHaveLength(1);
    const reported = async () => (await scan.scanner.health()).scan?.endpoints[1];
    expect(await reported()).toMatchObject({ state: 'suspect' });
    for (let seconds = 0; seconds <= 120; seconds += 10) await rest();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    // Where a third one replaces it, it is only compared now and then, beside the rounds, which do not wait for that.
    await expect.poll(reported).toMatchObject({ state: count === 2 ? 'suspect' : 'behind' });
  });

  test('a chain that makes no blocks for hours is as well as ever', async () => {
    for (let minutes = 0; minutes < 180; minutes += 30) {
      scan.clock.advance(1_800);
      await scan.tick();
      for (let round = 0; round < 2; round += 1) await scan.scanner.readAgain();
    }
    expect((await scan.scanner.health()).faults.filter(({ code }) => code !== 'not_verified')).toEqual([]);
    const id = await paid();
    await ticks(1);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('one that lags for a moment puts no cursor back', async () => {
    const id = await paid();
    await ticks(1);
    const before = await cursors();
    for (const proxy of proxies) proxy.faults.lagBlocks = 4;
    await ticks(2);
    expect(await cursors()).toEqual(before);
    expect(scan.reported.filter(({ state }) => state === 'gone')).toEqual([]);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});

describe('with a single endpoint', () => {
  beforeEach(() => open(1));

  test('a head that no time explains is followed with an alarm, until the cursors are back', async () => {
    await lie(0);
    await ticks(1);
    expect(errors).toHaveLength(1);
    expect(await faultsOf('doubtful_head')).toEqual([expect.stringMatching(/has block \d+, but/)]);
    await ticks(3);
    expect(errors).toHaveLength(1);
    first!.mend();
    await scan.restart();
    const id = await paid();
    await ticks(2);
    expect(await faultsOf('doubtful_head')).toEqual([]);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('many blocks after a long time are no leap', async () => {
    scan.clock.advance(3_600);
    await local.mine(400);
    await scan.tick();
    expect(errors).toEqual([]);
    expect(await faultsOf('doubtful_head')).toEqual([]);
  });
});

test('the head that two endpoints know is what others are judged by', async () => {
  proxies[1]!.faults.lagBlocks = 1;
  await open(2);
  const { rows } = await db.query<{ trusted_number: bigint; trusted_at: Date }>(
    'SELECT trusted_number, trusted_at FROM evm_chains',
  );
  expect(rows).toEqual([{ trusted_number: (await height()) - 1n, trusted_at: scan.clock.now() }]);
});
