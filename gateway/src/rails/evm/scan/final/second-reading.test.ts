import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { atRandom, inventedLog, startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan, type ScanSetting } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));

const firstDelay = 180;
const secondDelay = 2_700;

let scan: Scan;
let lines: { level: number; msg: string; transaction?: string }[];
async function open(count: number, config: ScanSetting['config'] = {}): Promise<void> {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, evm_second_readings',
  );
  for (const proxy of proxies) {
    proxy.mend();
    // With a bloom the first reading would have waited.
    proxy.faults.bloom = 'missing';
  }
  lines = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(chunk));
      done();
    },
  });
  const rpcUrls = proxies.slice(0, count).map(({ url }) => url);
  scan = await openScan(db, local, { rpcUrls, config, log: pino(stream) });
  await scan.tick();
}

/** Time passes, and all that is due is read again; then what was found is looked at. */
async function again(seconds: number): Promise<void> {
  await readAgain(seconds);
  await scan.tick();
}
async function readAgain(seconds: number): Promise<void> {
  scan.clock.advance(seconds);
  for (let count = 0; count < 8; count += 1) await scan.scanner.readAgain();
}
/** Long enough for the first of the two to read what was final when it began. */
async function firstReading(): Promise<void> {
  await again(firstDelay);
  await again(firstDelay);
}
const hide = (isHidden: boolean | (() => boolean), whom = proxies) => {
  for (const proxy of whom)
    Object.assign(proxy.faults, { hides: isHidden, hidesReceipts: isHidden === true });
};
/** A payment whose transfer is left out while its block is read. */
async function leftOut(whom = proxies): Promise<Awaited<ReturnType<Scan['pay']>>> {
  const payment = await scan.pay();
  hide(true, whom);
  await send(payment.address, 5n);
  await local.mine(3);
  await scan.tick();
  hide(false);
  await scan.tick();
  expect(scan.standing(payment.id)).toEqual([]);
  return payment;
}
const faults = async () =>
  (await scan.scanner.health()).faults.map(({ code }) => code).filter((code) => code !== 'not_verified');
const cursors = async () => {
  const { rows } = await db.query<{ number: bigint; target: bigint }>(
    'SELECT number, target FROM evm_second_readings ORDER BY round',
  );
  return rows;
};

describe.each([1, 2, 3])('with %i endpoints', (count) => {
  beforeEach(() => open(count));

  test('a transfer that all left out is booked within minutes, and operators see a fault', async () => {
    const { id } = await leftOut();
    await firstReading();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)).toEqual([
      'an endpoint had left out a transfer: its block is read again',
    ]);
    expect(await faults()).toEqual(['second_reading']);
    await again(86_400);
    expect(await faults()).toEqual([]);
  });

  test.each<[string, Hex | 'missing']>([
    ['no bloom', 'missing'],
    ['a bloom of zeros', `0x${'0'.repeat(512)}`],
    ['a bloom of ones', `0x${'f'.repeat(512)}`],
  ])('whose logs lag by three blocks and with %s, six of six payments are booked', async (_, bloom) => {
    for (const { faults } of proxies) Object.assign(faults, { lagLogBlocks: 3, bloom });
    const payments = await Promise.all(Array.from({ length: 6 }, () => scan.pay()));
    for (const { address } of payments) {
      await send(address, 5n);
      await scan.tick();
    }
    await local.mine(6);
    await scan.tick();
    const booked = () => payments.filter(({ id }) => scan.standing(id).join() === 'final 3 5').length;
    expect(booked()).toBeLessThan(6);
    await firstReading();
    expect(booked()).toBe(6);
  });

  test('money at an address older than 90 days is booked, without an alert', async () => {
    const { id, address } = await scan.pay();
    await db.query("UPDATE evm_addresses SET created_at = created_at - interval '91 days'");
    await send(address, 5n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual([]);
    await firstReading();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('a long way is read in the ranges that an endpoint allows', async () => {
    const { id } = await leftOut();
    await local.mine(60);
    await scan.tick();
    for (const { faults } of proxies) faults.maxBlocks = 7;
    await again(firstDelay);
    scan.clock.advance(firstDelay);
    await expect
      .poll(async () => {
        await scan.scanner.readAgain();
        return (await cursors())[0]!.number;
      })
      .toBe((await scan.scanner.health()).scan!.final);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});

describe('with three endpoints', () => {
  beforeEach(() => open(3));

  test('that leave logs out at random, every transfer is booked in the end', async () => {
    for (const [seed, { faults }] of proxies.entries()) faults.hides = atRandom(seed, 0.25);
    const payments = await Promise.all(Array.from({ length: 20 }, () => scan.pay()));
    for (const { address } of payments) {
      await send(address, 5n);
      await scan.tick();
    }
    await local.mine(3);
    await scan.tick();
    const booked = () => payments.filter(({ id }) => scan.standing(id).join() === 'final 3 5').length;
    expect(booked()).toBeLessThan(20);
    // The first of them, then the second one, with time to try again what was not agreed on.
    for (let times = 0; times < 4; times += 1) await again(firstDelay);
    for (let times = 0; times < 2; times += 1) await again(secondDelay);
    for (let times = 0; times < 12; times += 1) await again(60);
    expect(booked()).toBe(20);
  });

  test('two that keep a transfer to themselves for some time do not end the search for it', async () => {
    const { id } = await leftOut();
    await again(firstDelay);
    await readAgain(firstDelay);
    hide(true, proxies.slice(0, 2));
    await scan.tick();
    expect(scan.standing(id)).toEqual([]);
    expect(await faults()).toContain('not_credited');
    hide(false);
    await again(60);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});

describe('with two endpoints', () => {
  beforeEach(() => open(2));

  test('the one that reported first is not the one that is asked again', async () => {
    const { id } = await leftOut();
    await again(firstDelay);
    const { rows } = await db.query<{ endpoint: string }>('SELECT DISTINCT endpoint FROM evm_blocks');
    expect(rows).toHaveLength(1);
    await again(firstDelay);
    const told = await db.query<{ endpoint: string }>(
      'SELECT endpoint FROM evm_second_readings WHERE round = 1',
    );
    expect(told.rows).not.toEqual(rows);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('the other one is waited for two minutes while it is dead, and no longer', async () => {
    const { id } = await leftOut();
    await again(firstDelay);
    proxies[1]!.faults.dead = true;
    await again(firstDelay);
    expect((await cursors())[0]!.number).toBeLessThan((await cursors())[0]!.target);
    await again(121);
    await again(121);
    await again(121);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('what one of them made up is never booked, and shown to operators', async () => {
    const { id, address } = await scan.pay();
    const { blockNumber, blockHash } = await send(address, 5n);
    await local.mine(3);
    await scan.tick();
    const { address: stranger } = usdc;
    proxies[1]!.faults.invents = [
      inventedLog({
        token: usdc.address,
        from: stranger,
        to: address,
        units: 1_000n,
        block: { number: blockNumber, hash: blockHash },
      }),
    ];
    await firstReading();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(await faults()).toContain('not_credited');
  });
});

describe('with one endpoint', () => {
  beforeEach(() => open(1));

  test('what the first round does not find, the second one does about an hour later', async () => {
    const { id } = await leftOut();
    hide(true);
    await firstReading();
    expect((await cursors())[0]!.number).toBe((await scan.scanner.health()).scan!.final);
    hide(false);
    await again(secondDelay - 2 * firstDelay);
    expect(scan.standing(id)).toEqual([]);
    await again(secondDelay);
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('a process that lost the lease moves nothing', async () => {
    await leftOut();
    await again(firstDelay);
    const stale = scan.scanner;
    await scan.restart();
    await scan.tick();
    const before = await cursors();
    scan.clock.advance(firstDelay);
    await stale.readAgain();
    expect(await cursors()).toEqual(before);
    await scan.scanner.readAgain();
    expect(await cursors()).not.toEqual(before);
  });

  test('one that stands still for an hour is shown to operators', async () => {
    await leftOut();
    expect(await faults()).toEqual([]);
    // Nobody looks for two hours.
    scan.clock.advance(7_201);
    await scan.tick();
    expect(await faults()).toEqual(['second_reading']);
    await again(0);
    expect(await faults()).toEqual([]);
  });
});

describe('on a chain without finality', () => {
  beforeEach(() => open(1, { finality: 'confirmations' }));

  test('blocks that took the place of final ones are read again', async () => {
    // What is in the first of them is not in its successor, so that the two are not the same.
    await send(usdc.address, 1n);
    await local.mine(5);
    await scan.tick();
    await firstReading();
    const [before] = await cursors();
    await local.client.request({ method: 'anvil_reorg', params: [6, []] } as never);
    const { final } = (await scan.scanner.health()).scan!;
    expect(before!.number).toBe(final);
    const { id } = await leftOut();
    const [after] = await cursors();
    expect(after!.number).toBeLessThan(before!.number);
    await firstReading();
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });
});
