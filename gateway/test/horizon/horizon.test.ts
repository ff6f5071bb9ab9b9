import { Asset, Horizon, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { startHorizon } from './horizon.ts';

const horizon = await startHorizon();
afterAll(() => horizon.stop());
const server = new Horizon.Server(horizon.url, { allowHttp: true });
const coin = 10_000_000n;

test('the library loads an account, pays from it, and finds the payment', async () => {
  const [alice, bob] = [Keypair.random(), Keypair.random()];
  horizon.fund(alice.publicKey(), 100n * coin);
  horizon.fund(bob.publicKey(), 10n * coin);
  const source = await server.loadAccount(alice.publicKey());
  const transaction = new TransactionBuilder(source, {
    fee: String(await server.fetchBaseFee()),
    networkPassphrase: horizon.passphrase,
    memo: Memo.text('ABCD'),
  })
    .addOperation(Operation.payment({ destination: bob.publicKey(), asset: Asset.native(), amount: '2.5' }))
    .setTimeout(60)
    .build();
  transaction.sign(alice);
  const submitted = await server.submitTransaction(transaction);
  expect(submitted).toMatchObject({ successful: true, memo: 'ABCD', memo_type: 'text' });
  const payments = await server.payments().forAccount(bob.publicKey()).join('transactions').call();
  expect(payments.records.at(-1)).toMatchObject({ type: 'payment', amount: '2.5000000' });
  const loaded = await server.loadAccount(bob.publicKey());
  expect(loaded.balances).toMatchObject([{ asset_type: 'native', balance: '12.5000000' }]);
});
