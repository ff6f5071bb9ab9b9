import {
  countAt,
  hashAt,
  jsonAt,
  momentAt,
  nonsense,
  recordsOf,
  textAt,
  unitsAt,
} from '../horizon/fields.ts';
import { type Horizon, HorizonFault, isJson, type Json } from '../horizon/horizon.ts';

export type Ledger = { sequence: bigint; closedAt: Date; baseReserve: bigint };

/** The newest ledger that a Horizon has. */
export async function readLedger(horizon: Horizon): Promise<Ledger> {
  const page = await horizon.get('/ledgers?order=desc&limit=1');
  const [ledger] = page ? recordsOf(page) : [];
  if (!ledger) throw nonsense('no ledgers');
  return {
    sequence: countAt(ledger, 'sequence'),
    closedAt: momentAt(ledger, 'closed_at'),
    baseReserve: countAt(ledger, 'base_reserve_in_stroops'),
  };
}

export type AccountView = {
  sequence: bigint;
  /** What it can spend on payments and fees, without what it must keep. */
  spendable: bigint;
  /** The public keys that sign for it, with their weights. */
  signers: Map<string, bigint>;
  /** The weight that a payment needs. */
  threshold: bigint;
  /** Whether it asks for a memo with whatever is sent to it (SEP-29). */
  needsMemo: boolean;
};

/** An account as a Horizon shows it; null where there is none. */
export async function readAccount(
  horizon: Horizon,
  account: string,
  { baseReserve }: Pick<Ledger, 'baseReserve'>,
): Promise<AccountView | null> {
  const view = await horizon.get(`/accounts/${account}`);
  if (view === null) return null;
  const native = listAt(view, 'balances').find(({ asset_type }) => asset_type === 'native');
  const balance = native ? unitsAt(native, 'balance') : 0n;
  const liabilities = native?.selling_liabilities === undefined ? 0n : unitsAt(native, 'selling_liabilities');
  // Two entries for the account itself, and those that it has or pays for.
  const entries =
    2n +
    entriesAt(view, 'subentry_count') +
    entriesAt(view, 'num_sponsoring') -
    entriesAt(view, 'num_sponsored');
  return {
    sequence: countAt(view, 'sequence'),
    spendable: balance - liabilities - entries * baseReserve,
    signers: new Map(
      listAt(view, 'signers').map((signer) => [textAt(signer, 'key'), countAt(signer, 'weight')] as const),
    ),
    threshold: countAt(jsonAt(view, 'thresholds'), 'med_threshold'),
    needsMemo: isJson(view.data) && view.data['config.memo_required'] === 'MQ==',
  };
}

const entriesAt = (view: Json, name: string): bigint => (view[name] === undefined ? 0n : countAt(view, name));

function listAt(view: Json, name: string): Json[] {
  const list = view[name];
  if (!Array.isArray(list) || !list.every(isJson)) throw nonsense(`an account without ${name}`);
  return list;
}

/** The fee that a transaction of one operation must offer to get into a ledger now. */
export async function readFee(horizon: Horizon): Promise<bigint> {
  const stats = await horizon.get('/fee_stats');
  if (stats === null) throw nonsense('no fees');
  const base = countAt(stats, 'last_ledger_base_fee');
  const usual = countAt(jsonAt(stats, 'fee_charged'), 'p90');
  return usual > base ? usual : base;
}

export type TransactionView = { hash: string; successful: boolean; fee: bigint };

/** A transaction in a ledger by its hash; null: this Horizon has none. */
export async function readTransaction(horizon: Horizon, hash: string): Promise<TransactionView | null> {
  const view = await horizon.get(`/transactions/${hash}`);
  return view === null ? null : transactionOf(view);
}

function transactionOf(view: Json): TransactionView {
  const { successful } = view;
  if (typeof successful !== 'boolean') throw nonsense('a transaction without its success');
  return { hash: hashAt(view, 'hash'), successful, fee: countAt(view, 'fee_charged') };
}

export type PastTransaction = TransactionView & { at: Date; envelope: string };

const pageSize = 200;
/** More pages than this are not read. */
const mostPages = 50;

/** The account's transactions since a moment, failed ones too, the newest first. */
export async function* pastTransactions(
  horizon: Horizon,
  account: string,
  since: Date,
): AsyncGenerator<PastTransaction> {
  let cursor = '';
  for (let page = 0; page < mostPages; page++) {
    const path = `/accounts/${account}/transactions?order=desc&limit=${pageSize}&include_failed=true${cursor}`;
    const answer = await horizon.get(path);
    if (!answer) throw nonsense('no transactions of the account');
    const records = recordsOf(answer);
    for (const record of records) {
      const at = momentAt(record, 'created_at');
      if (at < since) return;
      yield { ...transactionOf(record), at, envelope: textAt(record, 'envelope_xdr') };
    }
    const last = records.at(-1);
    if (!last || records.length < pageSize) return;
    cursor = `&cursor=${countAt(last, 'paging_token')}`;
  }
  throw new HorizonFault('too_much', `more than ${mostPages * pageSize} transactions to look through`);
}

/** The words of a refused submission: the transaction's code, then its operations'. */
export function codesOf(problem: Json): string[] {
  const codes = isJson(problem.extras) ? problem.extras.result_codes : null;
  if (!isJson(codes)) return [];
  const operations = Array.isArray(codes.operations) ? codes.operations : [];
  return [codes.transaction, ...operations].filter((code) => typeof code === 'string');
}
