import {
  Account,
  Asset,
  type Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { decimalOf } from './core/amounts.ts';
import type { LedgerCore } from './core/core.ts';

export type TransactionPlan = {
  from: Keypair;
  operations: xdr.Operation[];
  /** A string is a text memo. */
  memo?: Memo | string;
  /** Signers besides `from`. */
  signers?: Keypair[];
  /** Stroops offered for all operations together; what the network takes by default. */
  fee?: bigint;
  /** Another source than the key's own account: a part of it, `M...`. */
  source?: string;
  sequence?: bigint;
  passphrase?: string;
  /** Seconds since 1970; for ever by default. */
  minTime?: number;
  maxTime?: number;
  /** False: it waits for the next ledger. By default a ledger closes over it. */
  close?: boolean;
};

export type PaymentPlan = Omit<TransactionPlan, 'operations'> & {
  /** `G...` or `M...`. */
  to: string;
  /** Stroops. */
  amount: bigint;
  asset?: Asset;
};

export type Wallet = {
  /** Builds and signs; gives back the envelope in base 64. */
  sign(plan: TransactionPlan): string;
  /** Builds, signs and submits; gives back the hash. Throws where no ledger takes it; a failed one is in a ledger. */
  transact(plan: TransactionPlan): string;
  pay(plan: PaymentPlan): string;
  /** Gives coins of the root account, and creates the account where it is not there. */
  fund(address: string, amount: bigint): string;
};

/** Makes transactions as a wallet beside the ledger does: at once, and through the same door as all others. */
export function createWallet(core: LedgerCore): Wallet {
  function sign(plan: TransactionPlan): string {
    const { from, operations, memo, signers = [] } = plan;
    const sequence = (plan.sequence ?? core.nextSequence(from.publicKey())) - 1n;
    const account = new Account(from.publicKey(), sequence.toString());
    const builder = new TransactionBuilder(account, {
      fee: (plan.fee === undefined ? core.baseFee : plan.fee / BigInt(operations.length)).toString(),
      networkPassphrase: plan.passphrase ?? core.passphrase,
      timebounds: { minTime: plan.minTime ?? 0, maxTime: plan.maxTime ?? 0 },
    });
    for (const operation of operations) builder.addOperation(operation);
    if (memo !== undefined) builder.addMemo(typeof memo === 'string' ? Memo.text(memo) : memo);
    const transaction = builder.build();
    transaction.sign(from, ...signers);
    return transaction.toEnvelope().toXdr('base64');
  }

  function transact(plan: TransactionPlan): string {
    const submitted = core.submit(sign(plan));
    if (submitted.kind === 'malformed') throw new Error('malformed');
    if (submitted.kind === 'refused') throw new Error(JSON.stringify(submitted.codes));
    if (submitted.kind === 'applied') return submitted.transaction.envelope.hash;
    if (plan.close ?? true) core.close();
    return submitted.hash;
  }

  return {
    sign,
    transact,
    pay({ to, amount, asset = Asset.native(), ...plan }) {
      const payment = Operation.payment({ destination: to, asset, amount: decimalOf(amount) });
      return transact({ ...plan, operations: [payment] });
    },
    fund(address, amount) {
      const decimal = decimalOf(amount);
      const operation = core.accounts.has(address)
        ? Operation.payment({ destination: address, asset: Asset.native(), amount: decimal })
        : Operation.createAccount({ destination: address, startingBalance: decimal });
      return transact({ from: core.root, operations: [operation] });
    },
  };
}
