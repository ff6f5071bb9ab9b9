import { Memo } from '@stellar/stellar-sdk';
import { expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { builtinAssets, createAssets, testnetAssets } from '../src/money/assets.ts';
import { createPi, type Pi } from '../src/networks/pi.ts';
import { createRails } from '../src/networks/rails.ts';
import { linkPayment } from '../src/payments/settlement/act.ts';
import type { PiConfig } from '../src/rails/pi/horizon/network.ts';
import { startHorizon } from './horizon/horizon.ts';
import { pay } from './pi/driver.ts';
import { openNetwork, type PiNetwork } from './pi/network.ts';
import { atFileEnd } from './suite/endings.ts';
import { testDatabase } from './support/database.ts';
import { bookArrival, noPayouts, silentLog, testClock } from './support/fixtures.ts';
import { auditFindings, openShop, paymentById } from './support/payment-fixtures.ts';

// A Pi network of live mode and one of test mode beside each other: a memo counts on the network of its mode alone.

const { db } = await testDatabase();
const clock = testClock(new Date());
const pis = testnetAssets.filter(({ code }) => code === 'pi-testnet');
const assets = createAssets([...builtinAssets, ...pis]);
const coin = 10_000_000n;

type Side = { config: PiConfig; network: PiNetwork };

async function open(changes: Partial<PiConfig>): Promise<Side> {
  const network = openNetwork(clock.now);
  const horizon = await startHorizon({ core: network.core, closeMs: null });
  atFileEnd(() => horizon.stop());
  const { passphrase } = network.core;
  const account = network.openAccount(10n ** 9n).publicKey();
  const none = { explorer: null, platform: null, signer: null, walletUrl: null };
  return { network, config: { ...none, passphrase, horizonUrls: [horizon.url], account, ...changes } };
}

const live = await open({});
const testnet = await open({ isTest: true });
const rail = createRails({ chains: [], pi: live.config, testPi: testnet.config, assets, now: clock.now });
const [shop, liveShop] = [
  await openShop(db, { approved: true }, { mode: 'test', clock, rail, assets }),
  await openShop(db, { approved: true }, { mode: 'live', clock, rail, assets, rates: () => '1' }),
];
const readers: Pi[] = [live, testnet].map(({ config: pi }) =>
  createPi({
    ...{ ...shop.deps, db, pi, nowMs: () => clock.now().getTime(), log: silentLog },
    ...{ sends: noPayouts, bookArrival, count: () => {} },
  }),
);
for (const { disconnect } of readers) atFileEnd(disconnect);

async function look(): Promise<void> {
  for (const { wake, loops } of readers) {
    wake();
    for (const { work } of loops) await work();
  }
}

function send({ network, config }: Side, memo: string): void {
  network.send(network.payers[0]!, { operations: [pay(config.account, 10n * coin)], memo: Memo.text(memo) });
  network.core.close();
}

/** A payment of 10 PI, and its memo on the network of its mode. */
async function opened(of: typeof shop): Promise<{ id: string; memo: string }> {
  const { id } = await of.create({ currency: 'PI' });
  const chosen = of === shop ? 'pi-testnet' : 'pi';
  await transaction(db, (tx) => linkPayment(tx, of.deps, id, chosen));
  const [place] = await rail.destinations(db, id);
  expect(place).toMatchObject({ asset: chosen });
  return { id, memo: place!.memo! };
}

async function booked(): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>(
    `SELECT mode || ' ' || kind || ' ' || asset AS line FROM ledger_accounts
     WHERE asset LIKE 'pi%' AND stored AND balance <> 0 ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

test('a memo pays on the network of its mode, and on the other one it is unmatched there', async () => {
  await look();
  const [inTest, inLive] = [await opened(shop), await opened(liveShop)];
  send(live, inTest.memo);
  send(testnet, inLive.memo);
  await look();
  expect((await paymentById(db, inTest.id)).status).toBe('linked');
  expect((await paymentById(db, inLive.id)).status).toBe('linked');
  expect(await booked()).toEqual(['live suspense pi', 'test suspense pi-testnet']);
  send(live, inLive.memo);
  send(testnet, inTest.memo);
  await look();
  expect((await paymentById(db, inTest.id)).status).toBe('completed');
  expect((await paymentById(db, inLive.id)).status).toBe('completed');
  expect(await booked()).toEqual([
    ...['live business pi', 'live suspense pi'],
    ...['test business pi-testnet', 'test suspense pi-testnet'],
  ]);
  const { rows } = await db.query('SELECT mode, rail FROM unmatched_deposits ORDER BY mode');
  expect(rows).toEqual([
    { mode: 'live', rail: 'pi' },
    { mode: 'test', rail: 'pi-testnet' },
  ]);
  expect(await auditFindings(db)).toEqual([]);
});

test('a test payment that did not choose the network has no memo, and costs none', async () => {
  const { id } = await shop.create({ currency: 'PI' });
  expect(await rail.destinations(db, id)).toEqual([]);
  expect((await rail.offers(db, { id, mode: 'test' })).map(({ asset }) => asset)).toEqual(['pi-testnet']);
});
