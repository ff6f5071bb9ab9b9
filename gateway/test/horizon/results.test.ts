import { Account, Asset, Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { startHorizon } from './horizon.ts';
import type { TransactionPlan } from './wallet.ts';

// What the network says to envelopes that are not as they should be, in its order of precedence.
let time = new Date('2026-01-02T03:04:05Z');
const horizon = await startHorizon({ now: () => time });
afterAll(() => horizon.stop());
const coin = 10_000_000n;
const seconds = () => Math.floor(time.getTime() / 1000);

function person(units = 100n * coin): Keypair {
  const key = Keypair.random();
  horizon.fund(key.publicKey(), units);
  return key;
}

const [alice, bob, issuer] = [person(), person(), person()];
const stranger = Keypair.random();
const credits = new Asset('CRED', issuer.publicKey());
const pay = (to: Keypair, amount = '1', options: { asset?: Asset; source?: string } = {}) =>
  Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount, ...options });

async function post(tx: string) {
  const body = new URLSearchParams({ tx });
  const response = await fetch(`${horizon.url}/transactions`, { method: 'POST', body });
  const answer = (await response.json()) as { extras?: { result_codes: unknown } };
  return { status: response.status, codes: answer.extras?.result_codes };
}

const refused: [string, Partial<TransactionPlan>, string[]?][] = [
  ['tx_too_early', { minTime: seconds() + 10 }],
  ['tx_too_late', { maxTime: seconds() - 1 }],
  ['tx_too_late', { maxTime: seconds() - 1, fee: 1n }],
  ['tx_insufficient_fee', { fee: 99_999n }],
  ['tx_insufficient_fee', { fee: 99_999n, from: stranger, sequence: 1n }],
  ['tx_no_source_account', { from: stranger, sequence: 1n }],
  ['tx_bad_seq', { sequence: 1n }],
  ['tx_bad_seq', { sequence: 1n, passphrase: 'Another Network' }],
  ['tx_bad_auth', { passphrase: 'Another Network' }],
  ['tx_bad_auth', { passphrase: 'Another Network', fee: 4_000_000_000n }],
  ['tx_insufficient_balance', { fee: 4_000_000_000n }],
  ['tx_bad_auth_extra', { signers: [stranger] }],
  ['tx_failed', { operations: [pay(bob, '1', { source: bob.publicKey() })] }, ['op_bad_auth']],
  [
    'tx_failed',
    { operations: [Operation.accountMerge({ destination: alice.publicKey() })] },
    ['op_malformed'],
  ],
  ['tx_failed', { operations: [Operation.inflation({})] }, ['op_not_supported']],
];

test.each(refused)('%s keeps an envelope out of every ledger (%#)', async (transaction, plan, operations) => {
  const before = horizon.core.last().sequence;
  const tx = horizon.sign({ from: alice, operations: [pay(bob)], ...plan });
  const codes = { transaction, ...(operations && { operations }) };
  expect(await post(tx)).toEqual({ status: 400, codes });
  horizon.close();
  expect(horizon.core.ledgers.slice(before).flatMap((ledger) => ledger.transactions)).toEqual([]);
});

const failing: [string, (from: Keypair) => xdr.Operation][] = [
  ['op_underfunded', () => pay(bob, '99.5')],
  ['op_no_destination', () => pay(stranger)],
  ['op_no_trust', () => pay(bob, '1', { asset: new Asset('CRED', alice.publicKey()) })],
  ['op_src_no_trust', () => pay(issuer, '1', { asset: credits })],
  ['op_already_exists', () => create(bob, '5')],
  ['op_low_reserve', () => create(stranger, '0.9999999')],
  ['op_underfunded', () => create(stranger, '99.5')],
  ['op_no_account', () => Operation.accountMerge({ destination: stranger.publicKey() })],
  ['op_no_issuer', () => Operation.changeTrust({ asset: new Asset('CRED', stranger.publicKey()) })],
  ['op_data_name_not_found', () => Operation.manageData({ name: 'none', value: null })],
  ['op_too_few_offers', () => sendAlong([credits, new Asset('OTHER', bob.publicKey())], '1', '1')],
  ['op_under_dest_min', () => sendAlong([Asset.native(), Asset.native()], '1', '1.0000001')],
  ['op_over_source_max', () => receiveAlong([Asset.native(), Asset.native()], '1', '1.0000001')],
  ['op_no_trust', () => sendAlong([Asset.native(), credits], '1', '1')],
];

function create(key: Keypair, startingBalance: string): xdr.Operation {
  return Operation.createAccount({ destination: key.publicKey(), startingBalance });
}

function sendAlong([sendAsset, destAsset]: [Asset, Asset], sendAmount: string, destMin: string) {
  const destination = bob.publicKey();
  return Operation.pathPaymentStrictSend({ sendAsset, sendAmount, destination, destAsset, destMin });
}

function receiveAlong([sendAsset, destAsset]: [Asset, Asset], sendMax: string, destAmount: string) {
  const destination = bob.publicKey();
  return Operation.pathPaymentStrictReceive({ sendAsset, sendMax, destination, destAsset, destAmount });
}

test.each(failing)(
  '%s fails in a ledger, and what came before it is undone (%#)',
  async (code, operation) => {
    const from = person();
    const noted = Operation.manageData({ name: 'seen', value: 'x' });
    const tx = horizon.sign({ from, operations: [noted, operation(from)] });
    const codes = { transaction: 'tx_failed', operations: ['op_success', code] };
    expect(await post(tx)).toEqual({ status: 400, codes });
    expect(await post(tx)).toEqual({ status: 400, codes });
    const account = horizon.core.accounts.get(from.publicKey())!;
    expect(account).toMatchObject({ units: 100n * coin - 200_000n, data: {} });
    expect(horizon.core.nextSequence(from.publicKey())).toBe(account.sequence + 1n);
  },
);

test('somebody else may not offer the fee', async () => {
  const inner = TransactionBuilder.fromXdr(
    horizon.sign({ from: alice, operations: [pay(bob)] }),
    horizon.passphrase,
  );
  if ('innerTransaction' in inner) throw new Error('it is the inner one');
  const bump = TransactionBuilder.buildFeeBumpTransaction(bob, '200000', inner, horizon.passphrase);
  bump.sign(bob);
  expect((await post(bump.toEnvelope().toXdr('base64'))).codes).toEqual({ transaction: 'tx_not_supported' });
});

test('conditions that the network does not know are refused', async () => {
  const account = new Account(alice.publicKey(), `${horizon.core.nextSequence(alice.publicKey()) - 1n}`);
  const options = { fee: '100000', networkPassphrase: horizon.passphrase };
  const builder = new TransactionBuilder(account, options).setTimeout(0).setLedgerbounds(1, 5);
  const transaction = builder.addOperation(pay(bob)).build();
  transaction.sign(alice);
  expect((await post(transaction.toXdr())).codes).toEqual({ transaction: 'tx_not_supported' });
});

test('an envelope that is too late when its ledger closes is in none', async () => {
  const tx = horizon.sign({ from: alice, operations: [pay(bob)], maxTime: seconds() + 5 });
  const submitted = horizon.core.submit(tx);
  if (submitted.kind !== 'waiting') throw new Error(submitted.kind);
  time = new Date(time.getTime() + 6000);
  horizon.close();
  expect(await submitted.outcome).toBeNull();
  expect(await post(tx)).toMatchObject({ codes: { transaction: 'tx_too_late' } });
});

test('an account that an earlier transaction of the ledger merged sends nothing more', async () => {
  const from = person();
  const merge = Operation.accountMerge({ destination: bob.publicKey(), source: from.publicKey() });
  // The fees of all are taken before the first is applied.
  horizon.transact({ from: alice, signers: [from], operations: [merge], close: false });
  const tx = horizon.sign({ from, operations: [pay(bob)] });
  expect(await post(tx)).toMatchObject({ codes: { transaction: 'tx_no_source_account' } });
  expect(horizon.core.accounts.has(from.publicKey())).toBe(false);
});

test('a fee that rises refuses what offers less, and takes no more than it is', async () => {
  horizon.core.baseFee = 500_000n;
  const offer = (fee: bigint) => horizon.sign({ from: alice, operations: [pay(bob)], fee });
  expect(await post(offer(499_999n))).toMatchObject({ codes: { transaction: 'tx_insufficient_fee' } });
  const before = horizon.core.accounts.get(alice.publicKey())!.units;
  expect(await post(offer(900_000n))).toMatchObject({ status: 200 });
  expect(horizon.core.accounts.get(alice.publicKey())!.units).toBe(before - coin - 500_000n);
  horizon.core.baseFee = 100_000n;
});
