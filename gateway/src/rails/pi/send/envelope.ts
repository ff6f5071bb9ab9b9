import { decimalOf, unitsOfDecimal } from '../../../money/money.ts';
import { SendFault } from '../../signing/send-fault.ts';
import { piScale } from '../horizon/network.ts';
import type { Place } from './order.ts';
import type { AccountView } from './view.ts';

// The library of the network is loaded only by a process that sends: it takes 40 MB of memory.
const library = () => import('@stellar/stellar-sdk/base');

/** One payment of PI, to be signed. */
export type Unsigned = {
  sequence: bigint;
  destination: string;
  memo: string | null;
  units: bigint;
  maxFee: bigint;
  maxTime: Date;
};

export type Built = { envelope: string; hash: string };

/** The transaction without signatures. */
export async function buildEnvelope({ passphrase, account }: Place, content: Unsigned): Promise<Built> {
  const { Account, Asset, Memo, Operation, TransactionBuilder } = await library();
  const { sequence, destination, memo, units, maxFee, maxTime } = content;
  // The builder adds one to the sequence number that it is given.
  const source = new Account(account, (sequence - 1n).toString());
  const transaction = new TransactionBuilder(source, {
    fee: maxFee.toString(),
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(maxTime.getTime() / 1000) },
    memo: memo === null ? Memo.none() : Memo.text(memo),
  })
    .addOperation(
      Operation.payment({ destination, asset: Asset.native(), amount: decimalOf(units, piScale) }),
    )
    .build();
  return { envelope: transaction.toXDR(), hash: hex(transaction.hash()) };
}

/**
 * Checks that a signer answered the transaction that it was sent, with enough signatures of the account and no other
 * ones, which the network would refuse. Throws SendFault.
 */
export async function checkSigned(
  passphrase: string,
  { hash }: Built,
  signed: string,
  { signers, threshold }: Pick<AccountView, 'signers' | 'threshold'>,
): Promise<void> {
  const { Keypair, TransactionBuilder } = await library();
  const transaction = await parse(signed);
  if (hex(transaction.hash()) !== hash) {
    throw new SendFault('The signer answered another transaction than it was sent');
  }
  const left = new Map(signers);
  let weight = 0n;
  for (const { signature } of transaction.signatures) {
    const signer = [...left].find(
      ([key, weighs]) =>
        weighs > 0n &&
        key.startsWith('G') &&
        Keypair.fromPublicKey(key).verify(transaction.hash(), signature),
    );
    if (!signer) throw new SendFault('The key that signs is none of the custody account');
    left.delete(signer[0]);
    weight += signer[1];
  }
  if (weight === 0n || weight < threshold) {
    throw new SendFault(`The signatures weigh ${weight}, and the custody account asks for ${threshold}`);
  }

  async function parse(text: string) {
    try {
      return TransactionBuilder.fromXDR(text, passphrase);
    } catch {
      throw new SendFault('The signer answered what is no transaction');
    }
  }
}

/** The parts of a transaction of an account that are compared with an order. */
export type Content = {
  source: string;
  sequence: bigint;
  memo: string | null;
  payments: Paid[];
  /** The sequence number that it sets for its source; zero where it sets none. */
  jumpsTo: bigint;
};
type Paid = { destination: string; units: bigint };

function unitsOf(amount: string): bigint {
  const units = unitsOfDecimal(amount, piScale);
  if (units === null) throw new Error(`An operation has the amount ${amount}`);
  return units;
}

/** Reads an envelope of the network's history; null where it is of a kind that the library does not know. */
export async function contentOf(passphrase: string, envelope: string): Promise<Content | null> {
  const { TransactionBuilder, FeeBumpTransaction } = await library();
  let parsed: ReturnType<typeof TransactionBuilder.fromXDR>;
  try {
    parsed = TransactionBuilder.fromXDR(envelope, passphrase);
  } catch {
    return null;
  }
  const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed;
  const { source } = transaction;
  const { value } = transaction.memo;
  const memo =
    transaction.memo.type === 'text' && value !== null ? Buffer.from(value).toString('utf8') : null;
  return {
    source: await accountOf(source),
    sequence: BigInt(transaction.sequence),
    memo,
    payments: transaction.operations.flatMap((operation): Paid[] => {
      if (operation.type === 'createAccount') {
        const { destination, startingBalance } = operation;
        return [{ destination, units: unitsOf(startingBalance) }];
      }
      if (operation.type !== 'payment' || !operation.asset.isNative()) return [];
      const { destination, amount } = operation;
      return [{ destination, units: unitsOf(amount) }];
    }),
    jumpsTo: transaction.operations.reduce((furthest, operation) => {
      const isJump = operation.type === 'bumpSequence' && (operation.source ?? source) === source;
      const to = isJump ? BigInt(operation.bumpTo) : 0n;
      return to > furthest ? to : furthest;
    }, 0n),
  };
}

/** The account of an address; the address may name a part of it. */
export async function accountOf(address: string): Promise<string> {
  const { extractBaseAddress } = await library();
  return extractBaseAddress(address);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
