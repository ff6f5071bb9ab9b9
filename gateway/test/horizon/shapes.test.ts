import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { startHorizon } from './horizon.ts';

// The fields of Horizon's JSON, as its own sources and answers of public servers have them.
type Json = Record<string, unknown>;

const coin = 10_000_000n;
const [issuer, alice, bob, carol] = [0, 1, 2, 3].map(() => Keypair.random()) as [
  Keypair,
  Keypair,
  Keypair,
  Keypair,
];
const credits = new Asset('CREDIT', issuer.publicKey());
const to = bob.publicKey();

const horizon = await startHorizon();
for (const key of [issuer, alice, bob, carol]) horizon.fund(key.publicKey(), 1000n * coin);
for (const key of [alice, bob]) {
  horizon.transact({ from: key, operations: [Operation.changeTrust({ asset: credits })] });
}
horizon.pay({ from: issuer, to: alice.publicKey(), amount: 100n * coin, asset: credits });
afterAll(() => horizon.stop());

async function get(path: string): Promise<Json> {
  const response = await fetch(horizon.url + path);
  return (await response.json()) as Json;
}

async function latestOf(list: string): Promise<Json> {
  const page = await get(`/accounts/${to}/${list}?order=desc&limit=1`);
  return (page._embedded as { records: Json[] }).records[0]!;
}

const every = {
  _links: expect.any(Object),
  id: expect.stringMatching(/^\d+$/),
  paging_token: expect.stringMatching(/^\d+$/),
  transaction_successful: true,
  source_account: alice.publicKey(),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
};
const issued = {
  asset_type: 'credit_alphanum12',
  asset_code: 'CREDIT',
  asset_issuer: issuer.publicKey(),
};
const native = { asset_type: 'native' };
const newcomer = Keypair.random().publicKey();

test.each([
  [
    'payment',
    () => Operation.payment({ destination: to, asset: Asset.native(), amount: '1.5' }),
    { type_i: 1, ...native, from: alice.publicKey(), to, amount: '1.5000000' },
  ],
  [
    'payment',
    () => Operation.payment({ destination: to, asset: credits, amount: '3' }),
    { type_i: 1, ...issued, from: alice.publicKey(), to, amount: '3.0000000' },
  ],
  [
    'path_payment_strict_receive',
    () =>
      Operation.pathPaymentStrictReceive({
        sendAsset: credits,
        sendMax: '9',
        destination: to,
        destAsset: Asset.native(),
        destAmount: '2',
      }),
    {
      type_i: 2,
      ...native,
      from: alice.publicKey(),
      to,
      amount: '2.0000000',
      path: [],
      source_amount: '8.0000000',
      source_max: '9.0000000',
      source_asset_type: issued.asset_type,
      source_asset_code: issued.asset_code,
      source_asset_issuer: issued.asset_issuer,
    },
  ],
  [
    'path_payment_strict_send',
    () =>
      Operation.pathPaymentStrictSend({
        sendAsset: Asset.native(),
        sendAmount: '2',
        destination: to,
        destAsset: credits,
        destMin: '7',
      }),
    {
      type_i: 13,
      ...issued,
      from: alice.publicKey(),
      to,
      amount: '8.0000000',
      path: [],
      source_amount: '2.0000000',
      destination_min: '7.0000000',
      source_asset_type: 'native',
    },
  ],
])('a %s has the fields of one', async (type, operation, fields) => {
  horizon.transact({ from: alice, operations: [operation()] });
  expect(await latestOf('payments')).toStrictEqual({ ...every, type, ...fields });
});

test('a created account has the fields of one, for who paid and who got', async () => {
  horizon.transact({
    from: alice,
    operations: [Operation.createAccount({ destination: newcomer, startingBalance: '5' })],
  });
  const fields = { funder: alice.publicKey(), account: newcomer, starting_balance: '5.0000000' };
  for (const account of [newcomer, alice.publicKey()]) {
    const page = await get(`/accounts/${account}/payments?order=desc&limit=1`);
    expect((page._embedded as { records: Json[] }).records).toStrictEqual([
      { ...every, type: 'create_account', type_i: 0, ...fields },
    ]);
  }
});

test('a merge tells no amount: its effects do', async () => {
  const units = horizon.core.accounts.get(carol.publicKey())!.units - 100_000n;
  horizon.transact({ from: carol, operations: [Operation.accountMerge({ destination: to })] });
  const record = await latestOf('payments');
  const from = { source_account: carol.publicKey(), account: carol.publicKey() };
  expect(record).toStrictEqual({ ...every, type: 'account_merge', type_i: 8, ...from, into: to });
  const page = await get(`/operations/${record.id}/effects`);
  const effect = (number: number, account: Keypair, rest: Json) => ({
    _links: expect.any(Object),
    id: `${`${record.id}`.padStart(19, '0')}-000000000${number}`,
    paging_token: `${record.id}-${number}`,
    account: account.publicKey(),
    created_at: record.created_at,
    ...rest,
  });
  const amount = { ...native, amount: `${units / coin}.${`${units % coin}`.padStart(7, '0')}` };
  expect((page._embedded as { records: Json[] }).records).toStrictEqual([
    effect(1, carol, { type: 'account_debited', type_i: 3, ...amount }),
    effect(2, bob, { type: 'account_credited', type_i: 2, ...amount }),
    effect(3, carol, { type: 'account_removed', type_i: 1 }),
  ]);
  expect((await get(`/accounts/${carol.publicKey()}`)).status).toBe(404);
  expect(await get(`/accounts/${carol.publicKey()}/payments`)).toHaveProperty('_embedded');
});

test('an operation links to what belongs to it', async () => {
  const { id, transaction_hash, _links } = await latestOf('payments');
  expect(_links).toStrictEqual({
    self: { href: `${horizon.url}/operations/${id}` },
    transaction: { href: `${horizon.url}/transactions/${transaction_hash}` },
    effects: { href: `${horizon.url}/operations/${id}/effects` },
    succeeds: { href: `${horizon.url}/effects?order=desc&cursor=${id}` },
    precedes: { href: `${horizon.url}/effects?order=asc&cursor=${id}` },
  });
  expect(await get(`/operations/${id}`)).toMatchObject({ id, transaction_hash });
});

test('a transaction has the fields of one, alone and joined to its payments', async () => {
  const maxTime = Math.floor(Date.now() / 1000) + 60;
  const hash = horizon.pay({ from: alice, to, amount: coin, memo: 'ABCD', maxTime, fee: 300_000n });
  const { ledger } = horizon.core.history.transaction(hash)!;
  const transaction = {
    _links: expect.any(Object),
    id: hash,
    paging_token: expect.stringMatching(/^\d+$/),
    successful: true,
    hash,
    ledger: ledger.sequence,
    created_at: expect.stringMatching(/Z$/),
    source_account: alice.publicKey(),
    source_account_sequence: `${horizon.core.accounts.get(alice.publicKey())!.sequence}`,
    fee_account: alice.publicKey(),
    fee_charged: '100000',
    max_fee: '300000',
    operation_count: 1,
    envelope_xdr: expect.any(String),
    result_xdr: expect.any(String),
    result_meta_xdr: expect.any(String),
    fee_meta_xdr: expect.any(String),
    memo_type: 'text',
    memo: 'ABCD',
    memo_bytes: 'QUJDRA==',
    signatures: [expect.stringMatching(/^[\w+/]{86}==$/)],
    valid_after: '1970-01-01T00:00:00Z',
    valid_before: `${new Date(maxTime * 1000).toISOString().slice(0, 19)}Z`,
    preconditions: { timebounds: { min_time: '0', max_time: `${maxTime}` } },
  };
  expect(await get(`/transactions/${hash}`)).toStrictEqual(transaction);
  const page = await get(`/accounts/${to}/payments?order=desc&limit=1&join=transactions`);
  expect((page._embedded as { records: Json[] }).records[0]!.transaction).toStrictEqual(transaction);
  const listed = await get(`/transactions/${hash}/payments`);
  expect((listed._embedded as { records: Json[] }).records).toMatchObject([{ transaction_hash: hash }]);
});

test('an account has the fields of one', async () => {
  const account = await get(`/accounts/${to}`);
  const { sequence, units, changedIn } = horizon.core.accounts.get(to)!;
  expect(account).toStrictEqual({
    _links: expect.objectContaining({
      payments: { href: `${horizon.url}/accounts/${to}/payments{?cursor,limit,order}`, templated: true },
      data: { href: `${horizon.url}/accounts/${to}/data/{key}`, templated: true },
    }),
    id: to,
    account_id: to,
    paging_token: to,
    sequence: `${sequence}`,
    sequence_ledger: expect.any(Number),
    sequence_time: expect.stringMatching(/^\d+$/),
    subentry_count: 1,
    last_modified_ledger: changedIn,
    last_modified_time: expect.stringMatching(/Z$/),
    thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
    flags: {
      auth_required: false,
      auth_revocable: false,
      auth_immutable: false,
      auth_clawback_enabled: false,
    },
    balances: [
      expect.objectContaining({ ...issued, balance: '11.0000000', limit: '922337203685.4775807' }),
      {
        ...native,
        balance: `${units / coin}.${`${units % coin}`.padStart(7, '0')}`,
        buying_liabilities: '0.0000000',
        selling_liabilities: '0.0000000',
      },
    ],
    signers: [{ key: to, weight: 1, type: 'ed25519_public_key' }],
    data: {},
    num_sponsoring: 0,
    num_sponsored: 0,
  });
});

test('a submission that failed is a problem with its codes', async () => {
  const missing = Operation.payment({ destination: newcomer, asset: credits, amount: '1' });
  const envelope = horizon.sign({ from: alice, operations: [missing] });
  const body = new URLSearchParams({ tx: envelope });
  const response = await fetch(`${horizon.url}/transactions`, { method: 'POST', body });
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(await response.json()).toStrictEqual({
    type: 'https://stellar.org/horizon-errors/transaction_failed',
    title: 'Transaction Failed',
    status: 400,
    detail: expect.any(String),
    extras: {
      envelope_xdr: envelope,
      result_codes: { transaction: 'tx_failed', operations: ['op_no_trust'] },
      result_xdr: expect.any(String),
    },
  });
});

test('what is no envelope is told so', async () => {
  const body = new URLSearchParams({ tx: 'AAAA' });
  const response = await fetch(`${horizon.url}/transactions`, { method: 'POST', body });
  expect(await response.json()).toMatchObject({
    type: 'https://stellar.org/horizon-errors/transaction_malformed',
    status: 400,
    extras: { envelope_xdr: 'AAAA' },
  });
});

test('the root tells the network and how far its history goes', async () => {
  const last = horizon.core.last();
  expect(await get('/')).toMatchObject({
    horizon_version: expect.any(String),
    core_version: expect.any(String),
    history_latest_ledger: last.sequence,
    history_latest_ledger_closed_at: `${last.closedAt.toISOString().slice(0, 19)}Z`,
    history_elder_ledger: 1,
    core_latest_ledger: last.sequence,
    network_passphrase: horizon.passphrase,
    current_protocol_version: expect.any(Number),
  });
  const ledgers = await get('/ledgers?order=desc&limit=1');
  expect((ledgers._embedded as { records: Json[] }).records).toMatchObject([
    { sequence: last.sequence, closed_at: expect.stringMatching(/Z$/), base_fee_in_stroops: 100_000 },
  ]);
  expect(await get('/fee_stats')).toMatchObject({
    last_ledger: `${last.sequence}`,
    last_ledger_base_fee: '100000',
    fee_charged: { min: '100000', mode: '100000', p90: '100000' },
    max_fee: { max: '100000' },
  });
});
