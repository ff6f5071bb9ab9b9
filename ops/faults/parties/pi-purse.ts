import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import type { PiNetwork } from '../world/world.ts';

/** The wallets of Pi's customers. */
export type PiPurses = {
  /** A payment in PI, seven decimals, with a text memo. Resolves when a ledger has it. */
  send(customer: number, payment: { to: string; amount: string; memo: string }): Promise<void>;
};

const feeStroops = '100000';
const tries = 20;

export function openPiPurses({ horizonUrl, passphrase, customers }: PiNetwork): PiPurses {
  const queues = new Map<number, Promise<unknown>>();

  async function submit(customer: number, payment: { to: string; amount: string; memo: string }) {
    const keys = Keypair.fromSecret(customers[customer]?.secret ?? '');
    const found = await fetch(`${horizonUrl}/accounts/${keys.publicKey()}`);
    const { sequence } = (await found.json()) as { sequence: string };
    const transaction = new TransactionBuilder(new Account(keys.publicKey(), sequence), {
      ...{ fee: feeStroops, networkPassphrase: passphrase },
      timebounds: { minTime: 0, maxTime: 0 },
    })
      .addOperation(
        Operation.payment({ destination: payment.to, asset: Asset.native(), amount: payment.amount }),
      )
      .addMemo(Memo.text(payment.memo))
      .build();
    transaction.sign(keys);
    const tx = transaction.toEnvelope().toXdr('base64');
    // The same envelope is carried out once, however often it is sent.
    for (let n = 1; ; n++) {
      const answer = await fetch(`${horizonUrl}/transactions`, {
        method: 'POST',
        body: new URLSearchParams({ tx }),
      }).catch((error: Error) => error);
      if (answer instanceof Response && answer.status === 200) return;
      if (n === tries)
        throw new Error(`Pi: ${answer instanceof Response ? await answer.text() : answer.message}`);
    }
  }

  return {
    async send(customer, payment) {
      const own = customer % customers.length;
      const sent = (queues.get(own) ?? Promise.resolve()).then(() => submit(own, payment));
      queues.set(
        own,
        sent.catch(() => {}),
      );
      await sent;
    },
  };
}
