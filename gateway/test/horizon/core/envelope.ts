import {
  MuxedAccount,
  type OperationRecord,
  StrKey,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk';

/** An account as an envelope names it: `muxed` is the `M...` address where it names a part of it. */
export type Party = { account: string; muxed: string | null; muxedId: string | null };

export type EnvelopeOperation = { record: OperationRecord; source: Party };

export type Envelope = {
  /** Base 64, as it was submitted. */
  xdr: string;
  /** Hash that the network's passphrase is part of, in lower-case hex: what signatures sign. */
  hash: string;
  transaction: Transaction;
  source: Party;
  sequence: bigint;
  /** What the source offers for all operations, in stroops. */
  maxFee: bigint;
  operations: EnvelopeOperation[];
};

/** Reads an envelope; `fee_bump` where somebody else offers the fee, which this network does not know. */
export function readEnvelope(xdr: string, passphrase: string): Envelope | 'malformed' | 'fee_bump' {
  try {
    const transaction = TransactionBuilder.fromXdr(xdr, passphrase);
    if (!(transaction instanceof Transaction)) return 'fee_bump';
    const source = partyOf(transaction.source);
    const operations = transaction.operations.map((record) => ({
      record,
      source: record.source === undefined ? source : partyOf(record.source),
    }));
    return {
      xdr,
      hash: Buffer.from(transaction.hash()).toString('hex'),
      transaction,
      source,
      sequence: BigInt(transaction.sequence),
      maxFee: BigInt(transaction.fee),
      operations,
    };
  } catch {
    return 'malformed';
  }
}

export function partyOf(address: string): Party {
  if (!StrKey.isValidMed25519PublicKey(address)) return { account: address, muxed: null, muxedId: null };
  const muxed = MuxedAccount.fromAddress(address, '0');
  return { account: muxed.baseAccount().accountId(), muxed: address, muxedId: muxed.id() };
}

/** Whom an operation is for, besides its source. */
export function destinationOf(record: OperationRecord): Party | null {
  return 'destination' in record ? partyOf(record.destination) : null;
}
