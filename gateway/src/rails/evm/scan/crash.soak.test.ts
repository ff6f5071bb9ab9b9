import { beforeAll, expect, test } from 'vitest';
import { accounts, startChain, treasury } from '../../../../test/chain/chain.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import { silentLog, testClock } from '../../../../test/support/fixtures.ts';
import { type Mortal, mortal } from '../../../../test/support/mortal.ts';
import { takeEach } from '../../../../test/support/take-each.ts';
import { type Database, type Tx, transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { makeAddresses } from '../addresses/addresses.ts';
import { factoryAddress, forwarderAddress, ownerWord } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { createEndpoints, type Endpoints } from '../rpc/endpoints.ts';
import { createScanner, type Scanner } from './scanner.ts';

const { db } = await testDatabase();
const local = await startChain();
const chain = local.config({ finality: 'confirmations' });
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const clock = testClock(new Date());

// What is reported is kept in the transaction that reports it, as payments keep it.
beforeAll(async () => {
  await db.query('CREATE TABLE told (payment_id uuid, key text, state text, units numeric)');
});
const note = (tx: Tx, paymentId: string, key: string, state: string, units: bigint) =>
  tx.query('INSERT INTO told VALUES ($1, $2, $3, $4)', [paymentId, key, state, units]);

const endpoints = createEndpoints({ chain });
/** Endpoints whose exchanges are those of a process that may end at any. */
const endpointsOf = ({ step }: Mortal): Endpoints => ({
  ...endpoints,
  use: (work, options) =>
    endpoints.use(
      (endpoint) => work({ ...endpoint, batch: (calls) => step(() => endpoint.batch(calls)) }),
      options,
    ),
});

const scannerOn = (database: Database, through: Endpoints): Scanner =>
  createScanner({
    db: database,
    chain,
    endpoints: through,
    take: takeEach({
      transfer: (tx, { paymentId, key, state, units }) => note(tx, paymentId, key, state, units),
      sweep: (tx, { paymentId, ledgerId, state, units }) =>
        note(tx, paymentId, ledgerId, `swept ${state}`, units),
    }),
    now: clock.now,
    log: silentLog,
  });

async function pay(): Promise<{ id: string; address: Hex }> {
  const id = newId();
  await transaction(db, (tx) => makeAddresses(tx, [chain], [id], clock.now()));
  return { id, address: forwarderAddress(treasury, id) };
}

const expireLease = () => expireLeases(db);
const heard = async (id: string) => {
  const { rows } = await db.query(
    "SELECT state || ' ' || units AS line FROM told WHERE payment_id = $1 AND state <> 'seen' ORDER BY 1",
    [id],
  );
  return rows.map(({ line }) => line);
};

// A life for each step: each time every second step, the odd ones of one story and the even ones of the other. All in a
// soak.
const stride = process.env.SOAK ? 1 : 2;

/** What happens on the chain; answers what must have been heard of it in the end. */
const stories: Record<string, () => Promise<Record<string, string[]>>> = {
  'while two transfers and a sweep become final': async () => {
    const { id, address } = await pay();
    await local.mined(
      await usdc.sendMany([
        { to: address, units: 5n },
        { to: address, units: 6n },
      ]),
    );
    const { encodeFunctionData, parseAbi } = await import('viem');
    const abi = parseAbi(['function sweep(address token, address destination, bytes32[] payments)']);
    const args = [usdc.address, treasury, [ownerWord(id)]] as const;
    const data = encodeFunctionData({ abi, functionName: 'sweep', args });
    await local.mined(await local.transact(accounts.stranger, factoryAddress, data));
    await local.mine(3);
    return { [id]: ['final 5', 'final 6', 'swept final 11'] };
  },
  'while a reorg takes back what was final': async () => {
    const { id, address } = await pay();
    await send(address, 5n);
    await local.mine(3);
    const scanner = scannerOn(db, endpoints);
    await scanner.tick();
    await scanner.release();
    await local.client.request({ method: 'anvil_reorg', params: [4, []] } as never);
    const other = await pay();
    await send(other.address, 7n);
    await local.mine(3);
    return { [id]: ['final 5', 'gone 5'], [other.id]: ['final 7'] };
  },
};

test.each(Object.entries(stories).map(([when, happen], at) => ({ when, happen, first: 1 + (at % stride) })))(
  'a process that ends between any two steps $when leaves the same in the end',
  async ({ happen, first }) => {
    let step = first;
    for (let hasDied = true; hasDied; step += stride) {
      const expected = await happen();
      const life = mortal(db);
      life.interrupt(step, false, async () => 'dies');
      const tick = scannerOn(life.db, endpointsOf(life)).tick();
      await tick.catch((error) => {
        if (!life.isDead()) throw error;
      });
      hasDied = life.isDead();
      await expireLease();
      const successor = scannerOn(db, endpoints);
      await successor.tick();
      clock.advance(300);
      await successor.tick();
      for (const [id, lines] of Object.entries(expected)) {
        expect([step, await heard(id)]).toEqual([step, lines]);
      }
      await successor.release();
    }
    expect(step).toBeGreaterThan(20);
  },
  900_000,
);
