import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const unlisted = local.tokens['csk-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));
const stranger: Hex = `0x${'5a'.repeat(20)}`;

let scan: Scan;
async function open(count: number): Promise<void> {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  for (const proxy of proxies) proxy.mend();
  const tokens = local.config().tokens.filter(({ asset }) => asset !== unlisted.asset);
  scan = await openScan(db, local, {
    rpcUrls: proxies.slice(0, count).map(({ url }) => url),
    config: { tokens },
  });
  await scan.tick();
}
const seen = async () => (await scan.scanner.health()).lastBlock;
const faults = async () =>
  (await scan.scanner.health()).faults.map(({ code }) => code).filter((code) => code !== 'not_verified');
const fill = (count: number) =>
  db.query(
    `INSERT INTO evm_addresses (address, owner_id, chain_ids, treasury, created_at)
     SELECT '0x' || substr(md5(n::text) || md5('-' || n), 1, 40), gen_random_uuid(), '{31337}', '0x00',
       $2::timestamptz - interval '1 day'
     FROM generate_series(1, $1) n`,
    [count, scan.clock.now()],
  );

/** One block with a listed token for a stranger, and a worthless one for us: together they look like ours. */
async function deceive(to: Hex): Promise<bigint> {
  await local.client.setAutomine(false);
  await usdc.send(stranger, 1n);
  await unlisted.send(to, 1n);
  await local.mine();
  await local.client.setAutomine(true);
  return await local.client.getBlockNumber({ cacheTime: 0 });
}

describe.each([1, 2, 3])('with %i endpoints', (count) => {
  beforeEach(() => open(count));

  test.each([
    ['that follows each block', 1],
    ['that follows every fifth', 5],
    ['that comes when all is over', 10],
  ])('whose logs lag by three blocks, a scan %s books ten of ten payments', async (_, every) => {
    for (const { faults } of proxies) faults.lagLogBlocks = 3;
    const payments = await Promise.all(Array.from({ length: 10 }, () => scan.pay()));
    for (const [at, { address }] of payments.entries()) {
      await send(address, 5n);
      if ((at + 1) % every === 0) await scan.tick();
    }
    for (let times = 0; times < 6; times += 1) {
      await local.mine();
      await scan.tick();
    }
    expect(payments.map(({ id }) => scan.standing(id))).toEqual(payments.map(() => ['final 3 5']));
    expect(await faults()).toEqual([]);
  });
});

describe('with one endpoint', () => {
  beforeEach(() => open(1));

  test('blocks before the one whose logs are late are read, and no fault is shown', async () => {
    const [one, other] = [await scan.pay(), await scan.pay()];
    await send(one.address, 5n);
    const { blockNumber } = await send(other.address, 6n);
    await local.mine(2);
    proxies[0]!.faults.hides = ({ blockNumber: number }) => BigInt(number) >= blockNumber;
    await scan.tick(3);
    expect(scan.standing(one.id)).toHaveLength(1);
    expect(await seen()).toBe(blockNumber - 1n);
    expect(await faults()).toEqual([]);
    proxies[0]!.mend();
    await scan.tick();
    expect(scan.standing(other.id)).toHaveLength(1);
  });

  test('a bloom that only seems to hold ours delays a block by a minute, and no longer', async () => {
    const { address } = await scan.pay();
    const block = await deceive(address);
    await local.mine(2);
    await scan.tick();
    scan.clock.advance(59);
    await scan.tick();
    expect(await seen()).toBe(block - 1n);
    scan.clock.advance(1);
    await scan.tick();
    expect(await seen()).toBe(block + 2n);
  });

  test('many such blocks in a row delay a scan by a minute in all, and then not for ten', async () => {
    const { address } = await scan.pay();
    const first = await deceive(address);
    await scan.tick();
    scan.clock.advance(30);
    for (let times = 0; times < 3; times += 1) await deceive(address);
    await scan.tick();
    expect(await seen()).toBe(first - 1n);
    scan.clock.advance(30);
    await scan.tick();
    expect(await seen()).toBe(first + 3n);
    expect(await deceive(address)).toBe(first + 4n);
    scan.clock.advance(599);
    await scan.tick();
    expect(await seen()).toBe(first + 4n);
    scan.clock.advance(1);
    expect(await deceive(address)).toBe(first + 5n);
    await scan.tick();
    expect(await seen()).toBe(first + 4n);
  });

  test('the final pass waits as well', async () => {
    const { id, address } = await scan.pay();
    const { blockNumber } = await send(address, 5n);
    await scan.tick();
    proxies[0]!.faults.hides = true;
    await local.mine(3);
    await scan.tick(2);
    // A single endpoint is asked twice, and told another thing the second time.
    expect((await scan.scanner.health()).scan!.final).toBe(blockNumber - 1n);
    proxies[0]!.mend();
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test.each<[string, Hex | 'missing']>([
    ['no bloom', 'missing'],
    ['a bloom of zeros', `0x${'0'.repeat(512)}`],
    ['a bloom of ones', `0x${'f'.repeat(512)}`],
    ['a bloom that is too full to say anything', `0x${'5'.repeat(512)}`],
  ])('nothing waits for a block with %s', async (_, bloom) => {
    await scan.pay();
    Object.assign(proxies[0]!.faults, { bloom });
    await send(stranger, 5n);
    await scan.tick();
    expect(await seen()).toBe(await local.client.getBlockNumber({ cacheTime: 0 }));
  });

  test('of a long way the last minute is read in windows whose every block is looked at', async () => {
    const { id, address } = await scan.pay();
    await local.mine(200);
    const { blockNumber } = await send(address, 5n);
    await local.mine(30);
    proxies[0]!.faults.hides = true;
    await scan.tick();
    expect(await seen()).toBe(blockNumber - 1n);
    proxies[0]!.mend();
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
  });

  test('where everybody’s transfers are read the newest addresses are looked for', async () => {
    await fill(5_000);
    const { id, address } = await scan.pay();
    proxies[0]!.faults.lagLogBlocks = 2;
    await send(address, 5n);
    await scan.tick();
    expect(scan.standing(id)).toEqual([]);
    await local.mine(2);
    await scan.tick();
    expect(scan.standing(id)).toHaveLength(1);
  });
});
