import { Keypair, type Transaction } from '@stellar/stellar-sdk';
import { type Account, minimumOf } from './accounts.ts';
import { issuerOf, largest, nameOf, unitsOf } from './amounts.ts';
import { destinationOf, type Envelope, type EnvelopeOperation } from './envelope.ts';
import { type Codes, operationKinds } from './results.ts';

export type Rules = { baseFee: bigint; baseReserve: bigint };

export type Asked = {
  accountOf: (id: string) => Account | null;
  /** Transactions of the source that come before this one and wait too. */
  waiting: number;
  closeTime: Date;
  rules: Rules;
};

/** What keeps a transaction out of every ledger, in the network's order of precedence; null: it may wait for one. */
export function faultOf(envelope: Envelope, { accountOf, waiting, closeTime, rules }: Asked): Codes | null {
  const { transaction, operations } = envelope;
  if (operations.length === 0) return only('tx_missing_operation');
  if (hasMoreConditions(transaction)) return only('tx_not_supported');
  const seconds = BigInt(Math.floor(closeTime.getTime() / 1000));
  const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' };
  if (BigInt(minTime) > seconds) return only('tx_too_early');
  if (maxTime !== '0' && BigInt(maxTime) < seconds) return only('tx_too_late');
  if (envelope.maxFee < feeOf(envelope, rules.baseFee)) return only('tx_insufficient_fee');
  const account = accountOf(envelope.source.account);
  if (!account) return only('tx_no_source_account');
  if (envelope.sequence !== account.sequence + BigInt(waiting) + 1n) return only('tx_bad_seq');
  const signers = signersOf(envelope);
  if (!signers.includes(account.id)) return only('tx_bad_auth');
  if (account.units - minimumOf(account, rules.baseReserve) < envelope.maxFee) {
    return only('tx_insufficient_balance');
  }
  const codes = operations.map((operation) => operationFault(operation, signers) ?? 'op_success');
  if (codes.some((code) => code !== 'op_success')) return { transaction: 'tx_failed', operations: codes };
  return signers.length < transaction.signatures.length ? only('tx_bad_auth_extra') : null;
}

/** Conditions besides times, which nobody here sets. */
function hasMoreConditions({ ledgerBounds, minAccountSequence, extraSigners }: Transaction): boolean {
  return !!ledgerBounds || !!minAccountSequence || (extraSigners?.length ?? 0) > 0;
}

/** What the network takes: the lowest fee, whatever more was offered. */
export function feeOf({ operations }: Envelope, baseFee: bigint): bigint {
  return baseFee * BigInt(operations.length);
}

const only = (transaction: string): Codes => ({ transaction, operations: null });

const signersOfEnvelope = new WeakMap<Envelope, string[]>();

/** The accounts of the envelope whose own signatures are on it. They are verified once: that takes a while. */
function signersOf(envelope: Envelope): string[] {
  const known = signersOfEnvelope.get(envelope);
  if (known) return known;
  const hash = envelope.transaction.hash();
  const accounts = new Set([envelope, ...envelope.operations].map(({ source }) => source.account));
  const signers = [...accounts].filter((account) => {
    const key = Keypair.fromPublicKey(account);
    const hint = Buffer.from(key.signatureHint()).toString('hex');
    return envelope.transaction.signatures.some(
      (signed) =>
        Buffer.from(signed.hint.toBytes()).toString('hex') === hint && key.verify(hash, signed.signature),
    );
  });
  signersOfEnvelope.set(envelope, signers);
  return signers;
}

function operationFault({ record, source }: EnvelopeOperation, signers: string[]): string | null {
  if (!operationKinds[record.type]) return 'op_not_supported';
  // Its account need not be there yet: an operation before it may create it.
  if (!signers.includes(source.account)) return 'op_bad_auth';
  return isMalformed({ record, source }) ? 'op_malformed' : null;
}

function isMalformed({ record, source }: EnvelopeOperation): boolean {
  const isAmount = (decimal: string) => unitsOf(decimal) > 0n && unitsOf(decimal) <= largest;
  switch (record.type) {
    case 'payment':
      return !isAmount(record.amount);
    case 'createAccount':
      return !isAmount(record.startingBalance) || record.destination === source.account;
    case 'pathPaymentStrictReceive':
      return !isAmount(record.sendMax) || !isAmount(record.destAmount);
    case 'pathPaymentStrictSend':
      return !isAmount(record.sendAmount) || !isAmount(record.destMin);
    case 'accountMerge':
      return destinationOf(record)!.account === source.account;
    case 'changeTrust':
      return !('code' in record.line) || issuerOf(nameOf(record.line)) === source.account;
    default:
      return false;
  }
}
