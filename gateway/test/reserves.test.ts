import { pino } from 'pino';
import { Registry } from 'prom-client';
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { makeReusableAddress } from '../src/payouts/arrivals/addresses.ts';
import { makeTopUpAddress } from '../src/payouts/arrivals/top-ups.ts';
import { factoryAddress, forwarderAddress, ownerWord } from '../src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { ownerText } from '../src/rails/owner.ts';
import { createReserveMetrics } from '../src/treasury/reserves/metrics.ts';
import { createReserveWatch, newestReport } from '../src/treasury/reserves/reports.ts';
import { type Reserve, readReserves } from '../src/treasury/reserves/reserves.ts';
import { deposits } from '../src/wallets/deposits/deposits.ts';
import { accounts, startChain, treasury } from './chain/chain.ts';
import { openChainShop } from './settlement/chain-shop.ts';
import { testDatabase } from './support/database.ts';
import { seedUser, silentLog, testClock } from './support/fixtures.ts';
import { auditFindings, paymentById } from './support/payment-fixtures.ts';

// What is owed and what a real chain holds: deposits, top-ups, sweeps, and what operators move by hand.

const { db } = await testDatabase();
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const erc20 = parseAbi(['function transfer(address to, uint256 units)']);
const factory = parseAbi(['function sweep(address token, address destination, bytes32[] payments)']);
const coin = 10n ** 18n;
const clock = testClock(new Date());
const vault = accounts.gas.address.toLowerCase() as Hex;
const stranger = accounts.stranger.address.toLowerCase() as Hex;
const config = {
  ...chain.config({ finality: 'confirmations', startBlock: null }),
  vault: { admin: stranger, address: vault, signer: null, keep: new Map() },
};
const { assets, rail, shop, chains } = await openChainShop(db, config, clock);
const deps = { db, assets, chains: chains.all, pi: null, now: clock.now, log: silentLog };

/** Reads what has happened, of which all becomes final. */
async function read(): Promise<void> {
  await chain.mine(3);
  for (let round = 0; round < 3; round += 1) {
    for (const { work } of chains.loops) await work();
    clock.advance(60);
  }
}

const send = async (from: (typeof accounts)['gas'], to: Hex, units: bigint): Promise<void> => {
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, units] });
  await chain.mined(await chain.transact(from, usdc.address, data));
};

async function reserve(): Promise<Reserve> {
  const { items, missing } = await readReserves(deps);
  expect(missing).toEqual([]);
  expect(items.map(({ asset }) => asset)).toEqual(['csk-bep20', 'usdc-bep20', 'usdt-bep20']);
  return items[1]!;
}

const nothing = { business: '0', wallets: '0', customers: '0', fees: '0', suspense: '0' };

test('what is owed is held, and what differs is explained line by line or missing', async () => {
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const watch = createReserveWatch({ ...deps, log });
  await watch();
  expect((await newestReport(db))?.missing).toHaveLength(3);
  expect(lines).toEqual([]);
  await usdc.mint(treasury, 1_000n * coin);
  await read();
  // What was missing is looked for soon, and the report without it is not kept.
  await watch();
  expect(await newestReport(db)).toMatchObject({ missing: [], items: [{}, { difference: '0' }, {}] });
  expect(lines).toMatchObject([{ msg: 'reserves', assets: [{}, { difference: '0' }, {}] }]);
  expect((await db.query('SELECT FROM reserve_reports')).rowCount).toBe(1);
  // What was in the treasury before is nobody's money.
  const opening = { why: expect.stringContaining('before its transfers were read'), amount: '1000' };
  expect(await reserve()).toEqual({
    asset: 'usdc-bep20',
    block: expect.any(Number),
    owed: nothing,
    held: { addresses: '0', treasury: '1000', vault: '0' },
    explained: [opening],
    difference: '0',
  });

  await db.query('UPDATE evm_chains SET verified_at = now(), verified_assets = $1', [
    Object.keys(chain.tokens),
  ]);
  const topUp = { id: shop.owner.integrationId, mode: 'live' } as const;
  const { address } = await transaction(db, (tx) =>
    makeTopUpAddress(tx, { assets, rail, now: clock.now }, topUp, assets.get('usdc-bep20')),
  );
  const user = await seedUser(db, 'jane');
  const wallet = { kind: deposits, id: user, mode: 'live' } as const;
  const own = await transaction(db, (tx) =>
    makeReusableAddress(tx, { rail, now: clock.now }, wallet, assets.get('usdc-bep20')),
  );
  expect(own.address.toLowerCase()).toBe(forwarderAddress(treasury, ownerText({ kind: 'user', id: user })));
  const payment = await shop.create({ amount: 10 });
  await usdc.send(own.address.toLowerCase() as Hex, 7n * coin);
  await usdc.send(forwarderAddress(treasury, payment.id), 11n * coin);
  await usdc.send(address.toLowerCase() as Hex, 25n * coin);
  await usdc.mint(vault, 50n * coin);
  await send(accounts.treasury, vault, 30n * coin);
  await send(accounts.treasury, stranger, 20n * coin);
  await read();
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  const owed = { ...nothing, business: '34.9', wallets: '7', customers: '1', fees: '0.1' };
  // 50 came in and 20 went out by hand.
  const operator = { why: 'put in by the operator', amount: '30' };
  expect(await reserve()).toMatchObject({
    owed,
    held: { addresses: '43', treasury: '950', vault: '80' },
    explained: [operator, opening],
    difference: '0',
  });

  const reusable = [
    ownerText({ kind: 'top-up', id: shop.owner.integrationId }),
    ownerText({ kind: 'user', id: user }),
  ];
  const owners = [payment.id, ...reusable];
  const args = [usdc.address, treasury, owners.map(ownerWord)] as const;
  const data = encodeFunctionData({ abi: factory, functionName: 'sweep', args });
  await chain.mined(await chain.transact(accounts.stranger, factoryAddress, data));
  await read();
  const swept = { addresses: '0', treasury: '993', vault: '80' };
  expect(await reserve()).toMatchObject({
    owed,
    held: swept,
    explained: [operator, opening],
    difference: '0',
  });
  expect(await auditFindings(db)).toEqual([]);

  // After an upgrade from a version that did not read treasuries and vaults, before the first round of the scan.
  const { rows: kept } = await db.query<{ places: object[] }>('SELECT places FROM evm_chains');
  await db.query("UPDATE evm_chains SET places = '[]'");
  const unread = await readReserves(deps);
  expect(unread.items).toEqual([]);
  expect(unread.missing).toContainEqual({ asset: 'usdc-bep20', why: 'Local has not been read yet' });
  await db.query('UPDATE evm_chains SET places = $1', [JSON.stringify(kept[0]?.places)]);

  // As if five were gone that no transfer explains.
  clock.advance(601);
  await watch();
  expect((await newestReport(db))?.items[1]?.difference).toBe('0');
  await db.query(
    'UPDATE evm_openings SET units = units + 5 * 10::numeric ^ 18 WHERE token = $1 AND units > 0',
    [usdc.address],
  );
  await watch();
  expect((await newestReport(db))?.items[1]?.difference).toBe('0');
  clock.advance(601);
  await watch();
  expect((await newestReport(db))?.items[1]?.difference).toBe('-5');
  const registry = new Registry();
  createReserveMetrics(registry, db);
  const metrics = await registry.metrics();
  for (const [name, value] of [
    ['owed', 43],
    ['held', 1_073],
    ['ratio', 1_073 / 43],
    ['difference', -5],
  ]) {
    expect(metrics).toContain(`florin_reserves_${name}{asset="usdc-bep20"} ${value}`);
  }
});
