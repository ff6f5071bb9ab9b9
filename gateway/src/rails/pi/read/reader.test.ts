import { Account, Asset, Keypair, Memo, MuxedAccount, Operation } from '@stellar/stellar-sdk';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  coin,
  fee,
  openPi,
  openReading,
  type PiWorld,
  type Reading,
  standing,
} from '../../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { addPlatformMemo } from '../memos/memos.ts';

const { db } = await testDatabase();
const world: PiWorld = await openPi();
const { custody, payer, horizon } = world;
let reading: Reading;

beforeEach(async () => {
  await reading?.reader.disconnect();
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  reading = await openReading(db, world);
});
afterAll(async () => {
  await reading.reader.disconnect();
  await world.horizon.stop();
});

const pay = (amount: bigint, memo?: Memo | string, to = world.pi.account) =>
  world.horizon.pay({ from: world.payer, to, amount, ...(memo === undefined ? {} : { memo }) });
const muxed = (id: bigint) => new MuxedAccount(new Account(world.pi.account, '0'), id.toString()).accountId();
const native = Asset.native();
async function numberOf(paymentId: string): Promise<bigint> {
  const { rows } = await db.query<{ number: bigint }>('SELECT number FROM pi_memos WHERE owner_id = $1', [
    paymentId,
  ]);
  return rows[0]!.number;
}

test('a transfer with the memo of a payment is final at once, and reported once', async () => {
  const { id, memo } = await reading.open();
  const hash = pay(5n * coin, memo);
  await reading.tick(3);
  expect(reading.transfers).toEqual([
    {
      rail: 'pi',
      key: `${hash}:1`,
      paymentId: id,
      transaction: hash,
      asset: 'pi',
      units: 5n * coin,
      state: 'final',
      confirmations: 1,
      needed: 1,
      takenAt: expect.any(Date),
      sender: world.payer.publicKey(),
    },
  ]);
  expect([reading.unmatched, reading.outflows]).toEqual([[], []]);
});

test.each([
  ['in lower case', (memo: string) => memo.toLowerCase()],
  ['with a hyphen', (memo: string) => `${memo.slice(0, 5)}-${memo.slice(5)}`],
  ['with spaces around it', (memo: string) => `  ${memo} `],
  ['with letters for digits', (memo: string) => memo.replaceAll('0', 'O').replaceAll('1', 'l')],
])('a memo counts %s', async (_, write) => {
  const { id, memo } = await reading.open();
  pay(coin, write(memo));
  await reading.tick();
  expect(standing(reading, id)).toEqual([`final ${coin}`]);
});

test.each<[string, () => Memo | string | undefined, string | null]>([
  ['no memo', () => undefined, null],
  ['an empty memo', () => '', ''],
  ['a memo with one wrong character', () => '0000000001', '0000000001'],
  ['words', () => 'thanks for the coffee!', 'thanks for the coffee!'],
  ['a number', () => Memo.id('18446744073709551615'), '18446744073709551615 (id)'],
  [
    'a hash',
    () => Memo.hash('ab'.repeat(32)),
    `${Buffer.from('ab'.repeat(32), 'hex').toString('base64')} (hash)`,
  ],
  ['text that no database takes', () => Memo.text(Buffer.from([65, 0, 66]) as never), 'A B'],
])('a transfer with %s is nobody’s', async (_, memoOf, kept) => {
  const hash = pay(3n * coin, memoOf());
  await reading.tick(2);
  expect(reading.transfers).toEqual([]);
  expect(reading.unmatched).toMatchObject([
    { rail: 'pi', key: `${hash}:1`, transaction: hash, units: 3n * coin, memo: kept },
  ]);
  expect(reading.unmatched[0]!.sender).toBe(world.payer.publicKey());
});

test('the part of the account that it was sent to says whose it is, where the memo does not', async () => {
  const [one, other] = [await reading.open(), await reading.open()];
  pay(coin, undefined, muxed(await numberOf(one.id)));
  pay(2n * coin, 'an exchange', muxed(await numberOf(one.id)));
  pay(4n * coin, other.memo, muxed(await numberOf(one.id)));
  pay(8n * coin, undefined, muxed(18446744073709551615n));
  await reading.tick();
  expect(standing(reading, one.id)).toEqual([`final ${coin}`, `final ${2n * coin}`]);
  expect(standing(reading, other.id)).toEqual([`final ${4n * coin}`]);
  expect(reading.unmatched).toMatchObject([{ units: 8n * coin, memo: 'M… 18446744073709551615' }]);
});

test('a sender of a part of an account is reported with that part', async () => {
  const { memo } = await reading.open();
  const source = new MuxedAccount(new Account(payer.publicKey(), '0'), '77').accountId();
  const operations = [
    Operation.payment({ source, destination: world.pi.account, asset: native, amount: '1' }),
  ];
  horizon.transact({ from: payer, memo, operations });
  await reading.tick();
  expect(reading.transfers.map(({ sender }) => sender)).toEqual([source]);
});

test('each operation of a transaction is a transfer of its own', async () => {
  const { id, memo } = await reading.open();
  const payment = (destination: string, amount: string) =>
    Operation.payment({ destination, asset: native, amount });
  const hash = horizon.transact({
    from: payer,
    memo,
    operations: [
      payment(world.pi.account, '1'),
      payment(horizon.root.publicKey(), '9'),
      payment(world.pi.account, '2'),
      Operation.manageData({ name: 'note', value: 'x' }),
      payment(world.pi.account, '1'),
    ],
  });
  await reading.tick();
  expect(reading.transfers.map(({ key, units }) => [key, units])).toEqual([
    [`${hash}:1`, coin],
    [`${hash}:3`, 2n * coin],
    [`${hash}:5`, coin],
  ]);
  expect(standing(reading, id)).toHaveLength(3);
});

test('both kinds of path payments count with what was delivered', async () => {
  const { id, memo } = await reading.open();
  const shared = { destination: world.pi.account, sendAsset: native, destAsset: native, path: [] };
  horizon.transact({
    from: payer,
    memo,
    operations: [
      Operation.pathPaymentStrictSend({ ...shared, sendAmount: '3', destMin: '1' }),
      Operation.pathPaymentStrictReceive({ ...shared, sendMax: '9', destAmount: '4' }),
    ],
  });
  await reading.tick();
  expect(standing(reading, id)).toEqual([`final ${3n * coin}`, `final ${4n * coin}`]);
});

test('what an account brings that merges into ours counts', async () => {
  const { id, memo } = await reading.open();
  const closing = Keypair.random();
  horizon.fund(closing.publicKey(), 7n * coin);
  horizon.transact({
    from: closing,
    memo,
    operations: [Operation.accountMerge({ destination: world.pi.account })],
  });
  await reading.tick();
  expect(standing(reading, id)).toEqual([`final ${7n * coin - fee}`]);
});

test('a failed transaction moves nothing', async () => {
  const { memo } = await reading.open();
  horizon.transact({
    from: payer,
    memo,
    operations: [
      Operation.payment({ destination: world.pi.account, asset: native, amount: '1' }),
      Operation.payment({ destination: Keypair.random().publicKey(), asset: native, amount: '1' }),
    ],
  });
  await reading.tick();
  expect([reading.transfers, reading.unmatched, reading.outflows]).toEqual([[], [], []]);
});

test('another asset than the network’s own is not taken, and holds nothing up', async () => {
  const { id, memo } = await reading.open();
  const asset = new Asset('EUR', payer.publicKey());
  horizon.transact({ from: custody, operations: [Operation.changeTrust({ asset })] });
  horizon.pay({ from: payer, to: world.pi.account, amount: 50n * coin, asset, memo });
  await reading.tick();
  expect(reading.transfers).toEqual([]);
  pay(coin, memo);
  await reading.tick();
  expect(standing(reading, id)).toEqual([`final ${coin}`]);
});

test('what leaves the account is reported with its fee, once for a transaction', async () => {
  const to = world.payer.publicKey();
  const send = (amount: string) => Operation.payment({ destination: to, asset: native, amount });
  const hash = horizon.transact({ from: custody, memo: 'out', operations: [send('1'), send('2')] });
  await reading.tick(2);
  expect(reading.outflows).toMatchObject([
    { key: `${hash}:1`, units: coin, fee: 2n * fee, to, sendId: null },
    { key: `${hash}:2`, units: 2n * coin, fee: 0n, to, sendId: null },
  ]);
});

test('a failed transaction of the account costs its fee', async () => {
  const missing = Keypair.random().publicKey();
  const operations = [1, 2].map(() =>
    Operation.payment({ destination: missing, asset: native, amount: '1' }),
  );
  const hash = horizon.transact({ from: custody, operations });
  await reading.tick(2);
  expect(reading.outflows).toMatchObject([{ key: `${hash}:1`, units: 0n, fee: 2n * fee, sendId: null }]);
});

test('what the account sends to itself costs its fee alone', async () => {
  horizon.pay({ from: custody, to: world.pi.account, amount: coin });
  await reading.tick();
  expect(reading.outflows).toMatchObject([{ units: 0n, fee }]);
  expect(reading.unmatched).toEqual([]);
});

test('an account that somebody creates with what is ours is money that left', async () => {
  const created = Keypair.random().publicKey();
  const operations = [Operation.createAccount({ destination: created, startingBalance: '1' })];
  horizon.transact({ from: custody, operations });
  await reading.tick();
  expect(reading.outflows).toMatchObject([{ units: coin, fee, to: created }]);
});

test('an order of ours is reported with what it sent', async () => {
  const sendId = newId();
  await reading.reader.disconnect();
  const other = await openReading(db, world, { isBegun: false, sendOf: async () => sendId });
  await other.restart();
  horizon.pay({ from: custody, to: world.payer.publicKey(), amount: coin });
  await other.tick();
  expect(other.outflows).toMatchObject([{ units: coin, sendId }]);
  await other.reader.disconnect();
});

test('what was there before reading began is not taken', async () => {
  const { memo } = await reading.open();
  await reading.reader.disconnect();
  await emptyTables(db, 'leases, pi_accounts');
  pay(coin, memo);
  const late = await openReading(db, world);
  pay(2n * coin, memo);
  await late.tick();
  expect(standing(late)).toEqual([`final ${2n * coin}`]);
  await late.reader.disconnect();
});

test('on a demo network the account is read from its beginning', async () => {
  await reading.reader.disconnect();
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  const demo = await openReading(db, world, { pi: { walletUrl: 'http://127.0.0.1/wallet' } });
  // Reports of several deposits may cross.
  expect(demo.unmatched).toContainEqual(
    expect.objectContaining({ units: 20n * coin, sender: world.horizon.root.publicKey() }),
  );
  await demo.reader.disconnect();
});

test('what the Pi platform has a say in is held until it is known', async () => {
  const { id } = await reading.open();
  const identifier = `platform-${id.slice(-12)}`;
  await transaction(db, (tx) =>
    addPlatformMemo(tx, { paymentId: id, identifier: identifier }, world.clock.now()),
  );
  await db.query(
    `INSERT INTO pi_platform_payments (identifier, payment_id, user_uid, units, state, expires_at, next_check_at,
       created_at) VALUES ($1, $2, 'u', $3, 'approved', now(), now(), now())`,
    [identifier, id, coin],
  );
  pay(coin, identifier.toUpperCase());
  pay(coin, identifier);
  await reading.tick();
  expect(reading.transfers).toMatchObject([{ paymentId: id, state: 'seen', confirmations: 0, needed: 1 }]);
  expect(reading.unmatched).toHaveLength(1);
});

test('two hundred to a page, and the cursor comes to the end of each', async () => {
  const { id, memo } = await reading.open();
  const operations = Array.from({ length: 90 }, () =>
    Operation.payment({ destination: world.pi.account, asset: native, amount: '0.0000001' }),
  );
  for (let count = 0; count < 5; count++) horizon.transact({ from: payer, memo, operations });
  await reading.tick();
  expect(standing(reading, id)).toHaveLength(450);
  expect(reading.transfers).toHaveLength(450);
});
