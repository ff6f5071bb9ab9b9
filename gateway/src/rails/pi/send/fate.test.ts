import { Asset, Operation, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { expect, test } from 'vitest';
import { coin, envelopes, openDesk, senderFault } from '../../../../test/pi/send-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';

const { db } = await testDatabase();

test('that a sequence number was used is not known by a jump over it that failed', async () => {
  // Nothing is in a ledger before `pass`.
  const desk = await openDesk(db, { closeMs: null, submitTimeoutMs: 20 });
  await desk.order();
  const sender = desk.sender({
    signer: {
      ...desk.deps.signer,
      sign: async (envelope, passphrase) => {
        const { sequence } = TransactionBuilder.fromXDR(envelope, passphrase) as Transaction;
        const to = desk.customer.publicKey();
        const tooMuch = { destination: to, asset: Asset.native(), amount: '1000000' };
        const bumpTo = (BigInt(sequence) + 100n).toString();
        const operations = [Operation.bumpSequence({ bumpTo }), Operation.payment(tooMuch)];
        // By hand: with the number that ours was to use, and with the next one.
        desk.horizon.transact({ from: desk.custody, operations });
        desk.horizon.pay({ from: desk.custody, to, amount: coin, memo: 'by hand' });
        return await desk.deps.signer.sign(envelope, passphrase);
      },
    },
  });
  await sender.tick();
  await db.query('UPDATE pi_envelopes SET sequence = sequence + 1 WHERE send_id = ANY ($1)', [desk.ids]);
  // What used the number is not shown yet, and the jump is.
  desk.horizon.faults.add({
    kind: 'stale',
    path: /transactions/,
    ledgers: 2,
    times: Number.POSITIVE_INFINITY,
  });
  desk.pass(150);
  await sender.tick();
  expect(await envelopes(db)).toMatchObject([{ state: 'open' }]);
  expect(await senderFault(db, desk.pi)).toContain('does not show by what');
});
