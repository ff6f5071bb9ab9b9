import { plain } from '../../endpoint-address.ts';
import { isAccount, isDestination } from '../horizon/account.ts';
import {
  countAt,
  hashAt,
  jsonAt,
  momentAt,
  nonsense,
  optionalText,
  recordsOf,
  textAt,
  transactionIn,
  unitsAt,
} from '../horizon/fields.ts';
import type { Horizon, Json } from '../horizon/horizon.ts';

/** A movement of the network's coin into or out of an account, or the fee of a transaction that moved none. */
export type Movement = {
  /** The operation's paging token: a place in the order of all operations. */
  token: bigint;
  transaction: string;
  direction: 'in' | 'out';
  type: string;
  /** Zero where only a fee was taken. */
  units: bigint;
  /** Who sent it, or who received it; with the part of the account, where one is named. */
  counterparty: string;
  memoType: string;
  memo: string | null;
  /** The part of our account that it was sent to. */
  muxedId: bigint | null;
  /** The fee of the whole transaction, if our account paid it; else zero. */
  fee: bigint;
  at: Date;
};

/** What an operation moved, seen from our account. */
type Flow = { cameIn: bigint; wentOut: bigint; from: string; to: string; muxedId: bigint | null };

/** Operations are numbered within their ledger by the lower 32 bits. */
const ledgerBits = 32n;
/** A memo of text has 28 bytes, one of a hash 44 characters. */
const memoLength = 64;

export const ledgerOf = (token: bigint): bigint => token >> ledgerBits;
/** The token of a ledger itself, before everything in it. */
export const firstTokenOf = (ledger: bigint): bigint => ledger << ledgerBits;
/** Which operation of its transaction it is. */
export const indexOf = (token: bigint): bigint => token & 0xfffn;

/**
 * What a record of an account's payments moved, or null where it moved none of the network's coin. It asks the
 * Horizon for what the record leaves out. Throws HorizonFault, also for a record that is not about the account.
 */
export async function movementIn(horizon: Horizon, account: string, record: Json): Promise<Movement | null> {
  const token = countAt(record, 'paging_token');
  const transaction = transactionIn(jsonAt(record, 'transaction'));
  if (hashAt(record, 'transaction_hash') !== transaction.hash || ledgerOf(token) !== transaction.ledger) {
    throw nonsense('a record with another transaction in it');
  }
  const flow = await flowOf(horizon, account, record, transaction.isSuccessful);
  const fee = transaction.feeAccount === account ? transaction.fee : 0n;
  const moved = transaction.isSuccessful && flow ? flow.cameIn - flow.wentOut : 0n;
  if (moved === 0n && fee === 0n) return null;
  const isIn = moved > 0n;
  return {
    token,
    transaction: transaction.hash,
    direction: isIn ? 'in' : 'out',
    type: textAt(record, 'type'),
    units: isIn ? moved : -moved,
    counterparty: (isIn ? flow?.from : flow?.to) ?? account,
    memoType: transaction.memoType,
    memo: transaction.memo && plain(transaction.memo).slice(0, memoLength),
    muxedId: isIn ? (flow?.muxedId ?? null) : null,
    fee,
    at: momentAt(record, 'created_at'),
  };
}

/** Null for an unknown kind of operation: it does not pay an account. */
async function flowOf(
  horizon: Horizon,
  account: string,
  record: Json,
  isSuccessful: boolean,
): Promise<Flow | null> {
  switch (textAt(record, 'type')) {
    case 'payment':
    case 'path_payment_strict_send':
    case 'path_payment_strict_receive':
      return paymentFlow(account, record);
    case 'create_account': {
      const units = unitsAt(record, 'starting_balance');
      const [from, to] = [party(record, 'funder'), party(record, 'account')];
      return seenBy(account, { from, to, spent: units, delivered: units });
    }
    case 'account_merge': {
      const from = party(record, 'account');
      const into = party(record, 'into');
      requireOurs(account, from, into);
      const units = isSuccessful ? await mergedUnits(horizon, record, into.account) : 0n;
      return seenBy(account, { from, to: into, spent: units, delivered: units });
    }
    default:
      return null;
  }
}

function paymentFlow(account: string, record: Json): Flow {
  const type = textAt(record, 'type');
  const delivered = textAt(record, 'asset_type') === 'native' ? unitsAt(record, 'amount') : 0n;
  const paysOther = type !== 'payment' && textAt(record, 'source_asset_type') !== 'native';
  const spent = paysOther ? 0n : type === 'payment' ? delivered : unitsAt(record, 'source_amount');
  return seenBy(account, { from: party(record, 'from'), to: party(record, 'to'), spent, delivered });
}

type Party = { account: string; muxed: string | null; muxedId: bigint | null };

function party(record: Json, name: string): Party {
  const account = textAt(record, name);
  const muxed = optionalText(record, `${name}_muxed`);
  if (!isAccount(account) || (muxed !== null && !isDestination(muxed))) {
    throw nonsense(`a record whose ${name} is no account`);
  }
  return {
    account,
    muxed,
    muxedId: muxed === null ? null : countAt(record, `${name}_muxed_id`),
  };
}

type Transfer = { from: Party; to: Party; spent: bigint; delivered: bigint };

function seenBy(account: string, { from, to, spent, delivered }: Transfer): Flow {
  requireOurs(account, from, to);
  return {
    cameIn: to.account === account ? delivered : 0n,
    wentOut: from.account === account ? spent : 0n,
    from: from.muxed ?? from.account,
    to: to.muxed ?? to.account,
    muxedId: to.muxedId,
  };
}

function requireOurs(account: string, from: Party, to: Party): void {
  if (from.account !== account && to.account !== account) throw nonsense("another account's record");
}

/** How much a merge moved: only its effects show it. */
async function mergedUnits(horizon: Horizon, record: Json, into: string): Promise<bigint> {
  const effects = await horizon.get(`/operations/${textAt(record, 'id')}/effects?limit=200`);
  const credited = effects
    ? recordsOf(effects).find(({ type, account }) => type === 'account_credited' && account === into)
    : undefined;
  if (!credited) throw nonsense('a merge without its effects');
  return unitsAt(credited, 'amount');
}
