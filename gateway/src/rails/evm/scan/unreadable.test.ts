import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { type RpcFaults, startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { testClock } from '../../../../test/support/fixtures.ts';
import { createAssets } from '../../../money/assets.ts';
import { createEvmRail } from '../rail.ts';

// A chain whose endpoints answer and cannot be read: nothing is booked, nothing is offered, operators are told.

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const proxy = await startRpcProxy(local.rpcUrl);

let scan: Scan;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  proxy.mend();
  scan = await openScan(db, local, { rpcUrls: [proxy.url], clock: testClock(new Date()) });
});

const unreadable: [string, Partial<RpcFaults>, RegExp][] = [
  ['hashes of 48 bytes', { longHashes: true }, /malformed hash/],
  ['no final block', { finality: 'none' }, /no finalized block: .*"finality": "confirmations"/],
  ['no such word as final', { finality: 'unknown' }, /invalid block tag.*"finality": "confirmations"/],
];

test.each(unreadable)(
  'an endpoint with %s books nothing, and says what is wrong',
  async (_, faults, message) => {
    await scan.tick();
    await db.query("UPDATE evm_chains SET verified_at = now(), verified_assets = '{usdc-bep20}'");
    const { id, address } = await scan.pay();
    Object.assign(proxy.faults, faults);
    await local.mined(await usdc.send(address, 5n));
    await local.mine(3);
    for (let round = 0; round < 5; round++) {
      await scan.tick();
      scan.clock.advance(60);
    }
    expect(scan.reported).toEqual([]);
    const health = await scan.scanner.health();
    expect(health.status).not.toBe('up');
    expect(health.faults.map((each) => each.message).join(' ')).toMatch(message);
    const rail = createEvmRail({ chains: [scan.chain], assets: createAssets(), now: scan.clock.now });
    const offered = async () => (await rail.destinations(db, id)).map(({ isUnreadable }) => isUnreadable);
    expect(await offered()).toEqual([true]);
    proxy.mend();
    scan.clock.advance(60);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(await offered()).toEqual([undefined]);
  },
);

test.each(unreadable)(
  'a chain whose endpoint has %s from the first is not offered',
  async (_, faults, message) => {
    Object.assign(proxy.faults, faults);
    await scan.tick(2);
    await db.query("UPDATE evm_chains SET verified_at = now(), verified_assets = '{usdc-bep20}'");
    const { id } = await scan.pay();
    const rail = createEvmRail({ chains: [scan.chain], assets: createAssets(), now: scan.clock.now });
    expect(await rail.destinations(db, id)).toEqual([]);
    const { faults: found } = await scan.scanner.health();
    expect(found.map((each) => each.message).join(' ')).toMatch(message);
  },
);
