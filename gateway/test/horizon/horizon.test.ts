import {
  Account,
  Asset,
  BadResponseError,
  Horizon,
  Keypair,
  Memo,
  MuxedAccount,
  NotFoundError,
  Operation,
  type Transaction,
  TransactionBuilder,
  TransactionFailedError,
} from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { startHorizon } from './horizon.ts';

// What the library that everybody sends with makes of this Horizon.
const horizon = await startHorizon();
afterAll(() => horizon.stop());
const server = new Horizon.Server(horizon.url, { allowHttp: true });
const coin = 10_000_000n;

function person(coins = 100n): Keypair {
  const key = Keypair.random();
  horizon.fund(key.publicKey(), coins * coin);
  return key;
}

async function signed(
  from: Keypair,
  operations: Parameters<TransactionBuilder['addOperation']>[0][],
  { memo, passphrase = horizon.passphrase }: { memo?: Memo; passphrase?: string } = {},
): Promise<Transaction> {
  const builder = new TransactionBuilder(await server.loadAccount(from.publicKey()), {
    fee: `${await server.fetchBaseFee()}`,
    networkPassphrase: passphrase,
    ...(memo && { memo }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(60).build();
  transaction.sign(from);
  return transaction;
}

const payment = (to: string, amount: string) =>
  Operation.payment({ destination: to, asset: Asset.native(), amount });

/** The result codes that a submission was refused or failed with. */
async function codesOf(transaction: Transaction) {
  const failure = await server.submitTransaction(transaction).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TransactionFailedError);
  return (failure as TransactionFailedError).getResultCodes();
}

test('a payment that the library builds, signs and submits is in the list of who got it', async () => {
  const [alice, bob] = [person(), person(10n)];
  const transaction = await signed(alice, [payment(bob.publicKey(), '2.5')], { memo: Memo.text('ABCD') });
  expect(await server.submitTransaction(transaction)).toMatchObject({
    successful: true,
    hash: Buffer.from(transaction.hash()).toString('hex'),
    memo: 'ABCD',
    memo_type: 'text',
  });
  const { records } = await server.payments().forAccount(bob.publicKey()).order('desc').limit(1).call();
  expect(records).toMatchObject([{ type: 'payment', amount: '2.5000000', from: alice.publicKey() }]);
  const { balances } = await server.loadAccount(bob.publicKey());
  expect(balances).toMatchObject([{ asset_type: 'native', balance: '12.5000000' }]);
});

test('a signature for another network is none', async () => {
  const alice = person();
  const transaction = await signed(alice, [payment(person().publicKey(), '1')], {
    passphrase: 'Another Network',
  });
  expect(await codesOf(transaction)).toEqual({ transaction: 'tx_bad_auth', operations: [] });
});

test('the same envelope again gets the stored result, and pays once', async () => {
  const [alice, bob] = [person(), person(10n)];
  const transaction = await signed(alice, [payment(bob.publicKey(), '2')]);
  const first = await server.submitTransaction(transaction);
  expect(await server.submitTransaction(transaction)).toEqual(first);
  expect(horizon.core.accounts.get(bob.publicKey())!.units).toBe(12n * coin);
});

test('a transaction that fails is in a ledger, has paid its fee, and fails again', async () => {
  const [alice, bob] = [person(10n), person(10n)];
  const transaction = await signed(alice, [payment(bob.publicKey(), '1'), payment(bob.publicKey(), '20')]);
  const codes = { transaction: 'tx_failed', operations: ['op_success', 'op_underfunded'] };
  expect(await codesOf(transaction)).toEqual(codes);
  expect(await codesOf(transaction)).toEqual(codes);
  const hash = Buffer.from(transaction.hash()).toString('hex');
  expect(await server.transactions().transaction(hash).call()).toMatchObject({
    successful: false,
    fee_charged: '200000',
  });
  expect(horizon.core.accounts.get(alice.publicKey())!.units).toBe(10n * coin - 200_000n);
  const listed = await server.payments().forAccount(bob.publicKey()).call();
  expect(listed.records.map(({ type }) => type)).toEqual(['create_account']);
  const all = await server.payments().forAccount(bob.publicKey()).includeFailed(true).call();
  expect(all.records.map((record) => record.transaction_successful)).toEqual([true, false, false]);
});

test('an account that is not there is not found', async () => {
  const nobody = Keypair.random().publicKey();
  await expect(server.loadAccount(nobody)).rejects.toThrow(NotFoundError);
  await expect(server.payments().forAccount(nobody).call()).rejects.toThrow(NotFoundError);
});

test('what may have been sent although nothing answered is found by its hash', async () => {
  const [alice, bob] = [person(), person(10n)];
  for (const applies of [true, false]) {
    const transaction = await signed(alice, [payment(bob.publicKey(), '1')]);
    horizon.faults.add({ kind: 'timeout', applies, method: 'POST' });
    const failure = await server.submitTransaction(transaction).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BadResponseError);
    expect((failure as BadResponseError).getResponse().status).toBe(504);
    const hash = Buffer.from(transaction.hash()).toString('hex');
    const found = server.transactions().transaction(hash).call();
    if (applies) expect(await found).toMatchObject({ successful: true });
    else await expect(found).rejects.toThrow(NotFoundError);
  }
  expect(horizon.core.accounts.get(bob.publicKey())!.units).toBe(11n * coin);
});

test('an answer waits for the ledger, as long as it may', async () => {
  const shared = { core: horizon.core, closeMs: null };
  const hasty = await startHorizon({ ...shared, submitTimeoutMs: 20 });
  const patient = await startHorizon(shared);
  const [alice, bob] = [person(), person(10n)];
  const post = async ({ url }: { url: string }) => {
    const body = new URLSearchParams({ tx });
    return (await fetch(`${url}/transactions`, { method: 'POST', body })).status;
  };
  const operations = [payment(bob.publicKey(), '1')];
  const tx = horizon.sign({ from: alice, operations });
  expect(await post(hasty)).toBe(504);
  const both = Promise.all([post(patient), post(patient)]);
  await expect.poll(() => patient.requests.length).toBe(2);
  horizon.close();
  expect(await both).toEqual([200, 200]);
  expect(horizon.core.accounts.get(bob.publicKey())!.units).toBe(11n * coin);
  await Promise.all([hasty.stop(), patient.stop()]);
});

test.each([
  [Memo.none(), { memo_type: 'none' }],
  [Memo.text('Grüße'), { memo_type: 'text', memo: 'Grüße', memo_bytes: 'R3LDvMOfZQ==' }],
  [Memo.text(''), { memo_type: 'text', memo: '', memo_bytes: '' }],
  [Memo.text(new Uint8Array([0xff, 0x41])), { memo_type: 'text', memo: '\ufffdA', memo_bytes: '/0E=' }],
  [Memo.id('18446744073709551615'), { memo_type: 'id', memo: '18446744073709551615' }],
  [Memo.hash('ab'.repeat(32)), { memo_type: 'hash', memo: `${'q6ur'.repeat(10)}q6s=` }],
  [Memo.return('00'.repeat(32)), { memo_type: 'return', memo: `${'A'.repeat(43)}=` }],
])('memo %# is told as Horizon tells it', async (memo, told) => {
  const bob = person(10n);
  await server.submitTransaction(await signed(person(), [payment(bob.publicKey(), '1')], { memo }));
  const { records } = await server
    .payments()
    .forAccount(bob.publicKey())
    .join('transactions')
    .order('desc')
    .limit(1)
    .call();
  const { memo_type, memo: text, memo_bytes } = await records[0]!.transaction();
  expect({ memo_type, memo: text, memo_bytes }).toEqual(told);
});

test('a part of an account pays and is paid as the account', async () => {
  const [alice, bob] = [person(), person(10n)];
  const muxed = (key: Keypair, id: string) =>
    new MuxedAccount(new Account(key.publicKey(), '0'), id).accountId();
  const operation = Operation.payment({
    destination: muxed(bob, '7'),
    asset: Asset.native(),
    amount: '1',
    source: muxed(alice, '42'),
  });
  await server.submitTransaction(await signed(alice, [operation]));
  const { records } = await server.payments().forAccount(bob.publicKey()).order('desc').limit(1).call();
  expect(records[0]).toMatchObject({
    source_account: alice.publicKey(),
    source_account_muxed: muxed(alice, '42'),
    source_account_muxed_id: '42',
    from: alice.publicKey(),
    from_muxed: muxed(alice, '42'),
    from_muxed_id: '42',
    to: bob.publicKey(),
    to_muxed: muxed(bob, '7'),
    to_muxed_id: '7',
  });
});

test('a stream of the library hears of what the next ledgers bring, each once', async () => {
  const bob = person(10n);
  const heard: string[] = [];
  const stop = server
    .payments()
    .forAccount(bob.publicKey())
    .cursor('now')
    .limit(2)
    .stream({ onmessage: (record) => heard.push((record as unknown as { amount: string }).amount) });
  await expect.poll(() => horizon.requests.at(-1)).toContain('cursor=now');
  const alice = person();
  for (let amount = 1n; amount <= 5n; amount++) {
    horizon.pay({ from: alice, to: bob.publicKey(), amount });
    // Where a stream ends after two, the library begins another at the record that it had.
    await expect.poll(() => heard.length).toBe(Number(amount));
  }
  stop();
  expect(heard).toEqual(['0.0000001', '0.0000002', '0.0000003', '0.0000004', '0.0000005']);
});

test('what an account sends arrives in the order of its sequence, in one ledger', async () => {
  const [alice, bob] = [person(), person(10n)];
  const before = horizon.core.last().sequence;
  const hashes = [1n, 2n, 3n].map((amount) =>
    horizon.pay({ from: alice, to: bob.publicKey(), amount, close: false }),
  );
  const ledger = horizon.close();
  expect(ledger.sequence).toBe(before + 1);
  expect(ledger.transactions.map(({ envelope }) => envelope.hash)).toEqual(hashes);
  expect(ledger.transactions.map(({ token }) => token & 0xfffn)).toEqual([0n, 0n, 0n]);
  expect(ledger.transactions.map(({ operations }) => operations[0]!.token & 0xfffn)).toEqual([1n, 1n, 1n]);
});
