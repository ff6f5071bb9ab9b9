import { Asset, Operation } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coin, fee, openPi, type PiWorld } from '../../../../test/pi/fixtures.ts';
import { emptyTables, expireLeases, testDatabase } from '../../../../test/support/database.ts';
import { silentLog } from '../../../../test/support/fixtures.ts';
import { type Mortal, mortal } from '../../../../test/support/mortal.ts';
import { takeEach } from '../../../../test/support/take-each.ts';
import { type Database, type Tx, transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { createHorizons, type Horizons } from '../horizon/horizons.ts';
import { memoOfOwner, openMemos } from '../memos/memos.ts';
import { createPiReader, type PiReader } from './reader.ts';

const { db } = await testDatabase();
const world: PiWorld = await openPi();
const { horizon, custody, payer, pi, clock } = world;
const opened: PiReader[] = [];

// What payments hear is kept in the transaction that tells them, as they keep it.
beforeAll(async () => {
  await db.query('CREATE TABLE told (of text, line text)');
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.disconnect()));
  await horizon.stop();
});

const tell = (tx: Tx, of: string, line: string) => tx.query('INSERT INTO told VALUES ($1, $2)', [of, line]);

/** Horizons whose exchanges are those of a process that may end at any. */
const horizonsOf =
  ({ step }: Mortal) =>
  (horizons: Horizons): Horizons => ({
    ...horizons,
    use: (work) => horizons.use((asked) => work({ ...asked, get: (path) => step(() => asked.get(path)) })),
  });

function readerOn(database: Database, around = (horizons: Horizons) => horizons): PiReader {
  const reader = createPiReader({
    db: database,
    pi,
    horizons: around(createHorizons({ pi })),
    log: silentLog,
    now: clock.now,
    sendOf: async () => null,
    take: takeEach({
      transfer: (tx, { paymentId, key, state, units }) => tell(tx, paymentId, `${state} ${units} ${key}`),
      unmatched: (tx, { key, units }) => tell(tx, 'unmatched', `${units} ${key}`),
      outflow: (tx, { key, units, fee: taken }) => tell(tx, 'out', `${units} ${taken} ${key}`),
    }),
  });
  opened.push(reader);
  return reader;
}

const expireLease = () => expireLeases(db);
const heard = async () => {
  const { rows } = await db.query<{ line: string }>(
    "SELECT of || ' ' || line AS line FROM told ORDER BY line, of",
  );
  return rows.map(({ line }) => line).sort();
};

/** Money for a payment in two operations, some of nobody's, some that leaves. Answers what must be heard of it. */
async function happen(): Promise<string[]> {
  const id = newId();
  await transaction(db, (tx) => openMemos(tx, [id], clock.now()));
  const memo = (await memoOfOwner(db, id))!;
  const payment = (amount: string, destination = pi.account) =>
    Operation.payment({ destination, asset: Asset.native(), amount });
  const one = horizon.transact({ from: payer, memo, operations: [payment('1'), payment('2')] });
  const two = horizon.transact({ from: payer, operations: [payment('3')] });
  const three = horizon.transact({ from: custody, operations: [payment('1', payer.publicKey())] });
  return [
    `${id} final ${coin} ${one}:1`,
    `${id} final ${2n * coin} ${one}:2`,
    `unmatched ${3n * coin} ${two}:1`,
    `out ${coin} ${fee} ${three}:1`,
  ];
}

/** A process reads and ends at that step; another one reads on, of a network without faults. Returns whether it ended there. */
async function readUntil(step: number): Promise<boolean> {
  await expireLease();
  const life = mortal(db);
  life.interrupt(step, false, async () => 'dies');
  await readerOn(life.db, horizonsOf(life))
    .tick()
    .catch((error) => {
      if (!life.isDead()) throw error;
    });
  horizon.faults.clear();
  await expireLease();
  await readerOn(db).tick();
  return life.isDead();
}

// A life for each step: each time every second step, the odd ones of one test and the even ones of the other. All in a
// soak.
const stride = process.env.SOAK ? 1 : 2;

test('a process that ends between any two steps leaves the same in the end', async () => {
  await readerOn(db).tick();
  const expected: string[] = [];
  let step = 1;
  for (let hasDied = true; hasDied; step += stride) {
    expected.push(...(await happen()));
    hasDied = await readUntil(step);
    expect([step, await heard()]).toEqual([step, expected.toSorted()]);
  }
  expect(step).toBeGreaterThan(30);
});

test('nor does it matter where it ends while it reads ledgers again from which something was left out', async () => {
  await expireLease();
  await readerOn(db).tick();
  await emptyTables(db, 'told');
  const expected: string[] = [];
  let step = stride;
  for (let hasDied = true; hasDied; step += stride) {
    const before = new Set(horizon.core.history.all.transactions.map(({ envelope }) => envelope.hash));
    expected.push(...(await happen()));
    const shown = horizon.pay({ from: payer, to: pi.account, amount: coin });
    expected.push(`unmatched ${coin} ${shown}:1`);
    const isLeftOut = ({ transaction_hash: hash }: Record<string, unknown>) =>
      hash !== shown && !before.has(`${hash}`);
    horizon.faults.add({ kind: 'omits', path: /\/payments\?/, times: 1, isLeftOut });
    hasDied = await readUntil(step);
    expect([step, await heard()]).toEqual([step, expected.toSorted()]);
  }
  expect(step).toBeGreaterThan(30);
});

test('two that read at once take everything once', async () => {
  await emptyTables(db, 'told');
  const expected: string[] = [];
  for (let round = 0; round < 15; round++) {
    const readers = [readerOn(db), readerOn(db), readerOn(db)];
    expected.push(...(await happen()), ...(await happen()));
    await Promise.all(
      readers.map(async (reader) => {
        // As if the lease ended while each of them was still about to write.
        await expireLease();
        await reader.tick();
      }),
    );
    await Promise.all(readers.map((reader) => reader.disconnect()));
  }
  await expireLease();
  await readerOn(db).tick();
  expect(await heard()).toEqual(expected.toSorted());
});
