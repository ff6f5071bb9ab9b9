import { afterAll, expect, test } from 'vitest';
import { createAssets } from '../src/money/assets.ts';
import { createChains } from '../src/networks/chains.ts';
import { createRails } from '../src/networks/rails.ts';
import { forwarderAddress } from '../src/rails/evm/addresses/forwarders.ts';
import { startChain, treasury } from './chain/chain.ts';
import { gasKeyFile, transactions } from './chain/sweep-fixtures.ts';
import { testDatabase } from './support/database.ts';
import { bookArrival, noHints, noPayouts, silentLog, testClock } from './support/fixtures.ts';
import { auditFindings, openShop, paymentById, payoutParts } from './support/payment-fixtures.ts';

// From the customer's transfer to the treasury: the scan, the payments, the ledger and the sweeper together.

const { db } = await testDatabase();
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const key = await gasKeyFile();
await chain.client.setBalance({ address: key.address, value: 10n ** 18n });
// What counts is the chain's own time.
const clock = testClock(new Date());
const config = chain.config({ nativeUsd: '2000' });
const rail = createRails({ chains: [config], pi: null, assets: createAssets(), now: clock.now });
const chains = createChains({
  db,
  chains: [{ ...config, sweep: { ...config.sweep, gasKeyFile: key.file } }],
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
afterAll(() => chains.disconnect());

/** Some rounds of everything, with blocks in between for what was sent to become final. */
async function live(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await chain.mine(2);
    for (const { work } of chains.loops) await work();
    clock.advance(1800);
  }
}

/** What the ledger says is outside, by account. */
async function outside(): Promise<Record<string, bigint>> {
  const { rows } = await db.query<{ owner: string; units: bigint }>(
    `SELECT a.owner, sum(e.units) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = 'external' AND a.owner LIKE 'evm:%' GROUP BY a.owner ORDER BY a.owner`,
  );
  return Object.fromEntries(rows.map(({ owner, units }) => [owner, -units]));
}

test('what customers paid ends in the treasury, and the ledger has what the chain has', async () => {
  const shop = await openShop(db, { approved: true }, { mode: 'live', clock, rail });
  await live(1);
  const amounts = [10, 25, 40];
  const payments = [];
  for (const amount of amounts) payments.push(await shop.create({ amount }));
  const addresses = payments.map(({ id }) => forwarderAddress(treasury, id));
  for (const [at, to] of addresses.entries()) {
    await chain.mined(await usdc.send(to, BigInt(amounts[at]!) * 10n ** 18n));
  }
  // Too much by a little: it lies at the address all the same, and is swept with the rest.
  await chain.mined(await usdc.send(addresses[0]!, 10n ** 17n));
  const paid = 75n * 10n ** 18n + 10n ** 17n;
  await live();

  for (const { id } of payments) expect((await paymentById(db, id)).status).toBe('completed');
  expect(await Promise.all(addresses.map((address) => usdc.balanceOf(address)))).toEqual([0n, 0n, 0n]);
  expect(await usdc.balanceOf(treasury)).toBe(paid);
  expect(await outside()).toEqual({ 'evm:31337': 0n, 'evm:31337:treasury': paid });
  expect(await auditFindings(db)).toEqual([]);
  const sent = await transactions(db);
  expect(sent.reduce((sum, { units }) => sum + units, 0n)).toBe(paid);
  expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['final']));

  // Nothing is left to do, and nothing is done.
  await live(2);
  expect(await transactions(db)).toHaveLength(sent.length);
  const { rows } = await db.query(`SELECT 1 FROM evm_transfers WHERE kind = 'deposit' AND NOT swept`);
  expect(rows).toEqual([]);
});
