import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, expect, test } from 'vitest';
import { createAssets } from '../src/money/assets.ts';
import { createChains } from '../src/networks/chains.ts';
import { createRails } from '../src/networks/rails.ts';
import { factoryAddress, forwarderAddress, ownerWord } from '../src/rails/evm/addresses/forwarders.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { placesOf } from '../src/rails/evm/scan/blocks/places.ts';
import { moveLines } from '../src/treasury/read.ts';
import { accounts, startChain, treasury } from './chain/chain.ts';
import { expireLeases, testDatabase } from './support/database.ts';
import { bookArrival, noHints, noPayouts, silentLog, testClock } from './support/fixtures.ts';
import { auditFindings, openShop, paymentById, payoutParts } from './support/payment-fixtures.ts';

// What goes in and out of a treasury and a vault, from the chain to the ledger.

const { db } = await testDatabase();
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const erc20 = parseAbi(['function transfer(address to, uint256 units)']);
const factory = parseAbi(['function sweep(address token, address destination, bytes32[] payments)']);
const coin = 10n ** 18n;
const clock = testClock(new Date());
// Any account does as a vault: its transfers alone are read.
const vault = accounts.gas.address.toLowerCase() as Hex;
const stranger = accounts.stranger.address.toLowerCase() as Hex;
const config = {
  ...chain.config({ finality: 'confirmations' }),
  vault: { admin: stranger, address: vault, signer: null, keep: new Map() },
};
const rail = createRails({ chains: [config], pi: null, assets: createAssets(), now: clock.now });
const shop = await openShop(db, { approved: true }, { mode: 'live', clock, rail });

function open(chains = [config]) {
  const opened = createChains({
    db,
    chains,
    hints: noHints,
    rail,
    assets: createAssets(),
    ...payoutParts(createAssets(), clock.now),
    now: clock.now,
    log: silentLog,
    sends: noPayouts,
    bookArrival,
    count: () => {},
    usdOf: () => '1',
  });
  afterAll(() => opened.disconnect());
  return opened;
}
let chains = open();

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

/** What the ledger says is outside, by its place. */
async function booked(): Promise<Record<string, bigint>> {
  const { rows } = await db.query<{ owner: string; units: bigint }>(
    `SELECT a.owner, sum(e.units) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = 'external' AND a.owner LIKE 'evm:%' GROUP BY a.owner ORDER BY a.owner`,
  );
  return Object.fromEntries(rows.map(({ owner, units }) => [owner.split(':')[2] ?? 'addresses', -units]));
}

const onChain = async () => ({
  treasury: await usdc.balanceOf(treasury),
  vault: await usdc.balanceOf(vault),
});

test('all that goes in and out of a treasury and a vault is booked once, and a reorg takes it back', async () => {
  await usdc.mint(treasury, 1_000n * coin);
  await read();
  const payment = await shop.create({ amount: 10 });
  const address = forwarderAddress(treasury, payment.id);
  await usdc.send(treasury, 100n * coin);
  await usdc.mint(vault, 50n * coin);
  await send(accounts.treasury, vault, 30n * coin);
  await send(accounts.treasury, stranger, 20n * coin);
  await send(accounts.gas, address, 10n * coin);
  await read();
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  // In: 1,150 from the operator's pocket. Out: 30 into it, of which a customer paid 10.
  const now = await onChain();
  expect(now).toEqual({ treasury: 1_050n * coin, vault: 70n * coin });
  expect(await booked()).toEqual({ ...now, addresses: 10n * coin, operator: -1_120n * coin });
  const lines = await moveLines(db, 'open', { before: null, limit: 10 });
  expect(lines.map(({ source, receiver, units }) => [source, receiver, units / coin])).toEqual(
    expect.arrayContaining([
      ['treasury', stranger, 20n],
      ['vault', address, 10n],
    ]),
  );
  expect(lines).toHaveLength(2);
  await read();
  expect((await booked()).operator).toBe(-1_120n * coin);

  // It was final, and its block leaves the chain all the same.
  const { blockNumber } = await chain.mined(await usdc.send(vault, 5n * coin));
  await send(accounts.treasury, stranger, 7n * coin);
  await read();
  expect((await booked()).vault).toBe(75n * coin);
  const depth = Number((await chain.client.getBlockNumber()) - blockNumber) + 1;
  await chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never);
  await read();
  await read();
  expect(await onChain()).toEqual(now);
  expect(await booked()).toEqual({ ...now, addresses: 10n * coin, operator: -1_120n * coin });
  expect(await auditFindings(db)).toEqual([]);
});

test('a treasury of a former configuration is still read, and a new one from then on', async () => {
  const other = accounts.payer.address.toLowerCase() as Hex;
  await usdc.mint(other, coin);
  await expireLeases(db);
  chains = open([{ ...config, receiving: { kind: 'forwarder', treasury: other } }]);
  await read();
  const before = await booked();
  await send(accounts.treasury, other, 4n * coin);
  await send(accounts.treasury, stranger, 3n * coin);
  await read();
  const after = await booked();
  // Between two treasuries nothing changes.
  expect(after).toEqual({
    ...before,
    treasury: before.treasury! - 3n * coin,
    operator: before.operator! + 3n * coin,
  });
  const places = await placesOf(db, config.id);
  expect(new Set(places.map(({ address, place }) => `${place} ${address}`))).toEqual(
    new Set([`treasury ${treasury}`, `treasury ${other}`, `vault ${vault}`]),
  );
});

test('a deposit that is swept into the vault is booked to it by its sweep alone', async () => {
  const swept = { ...config, receiving: { kind: 'forwarder', treasury: vault } } as const;
  const assets = createAssets();
  const other = createRails({ chains: [swept], pi: null, assets, now: clock.now });
  const vaultShop = await openShop(db, { approved: true }, { mode: 'live', clock, rail: other });
  await expireLeases(db);
  chains = open([swept]);
  await read();
  const before = await booked();
  const payment = await vaultShop.create({ amount: 10 });
  await usdc.mint(forwarderAddress(vault, payment.id), 10n * coin);
  await read();
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  const args = [usdc.address, vault, [ownerWord(payment.id)]] as const;
  const data = encodeFunctionData({ abi: factory, functionName: 'sweep', args });
  await chain.mined(await chain.transact(accounts.stranger, factoryAddress, data));
  await read();
  expect(await booked()).toEqual({ ...before, vault: before.vault! + 10n * coin });
  expect(await usdc.balanceOf(forwarderAddress(vault, payment.id))).toBe(0n);
  expect(await auditFindings(db)).toEqual([]);
});
