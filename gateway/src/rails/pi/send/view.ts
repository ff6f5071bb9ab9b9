import { unitsOfDecimal } from '../../../kit/money.ts';
import { type Horizon, HorizonFault, isJson, type Json } from '../horizon.ts';
import { piScale } from '../network.ts';

// What a Horizon tells of the network, read strictly: an answer that is not understood is none.

export type Ledger = { sequence: bigint; closedAt: Date; baseReserve: bigint };

/** The newest ledger that a Horizon has. */
export async function readLedger(horizon: Horizon): Promise<Ledger> {
  const page = await horizon.get('/ledgers?order=desc&limit=1');
  const [ledger] = page ? recordsOf(page) : [];
  if (!ledger) throw nonsense('no ledgers');
  return {
    sequence: wholeOf(ledger.sequence),
    closedAt: timeOf(ledger.closed_at),
    baseReserve: wholeOf(ledger.base_reserve_in_stroops),
  };
}

export type AccountView = {
  sequence: bigint;
  /** What it can send and pay fees of, without what it must keep. */
  spendable: bigint;
  /** The public keys that sign for it, with their weights. */
  signers: Map<string, bigint>;
  /** The weight that a payment needs. */
  threshold: bigint;
  /** It wants a memo with whatever is sent to it (SEP-29). */
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
  const { balances, signers, thresholds, data } = view;
  if (!Array.isArray(balances) || !Array.isArray(signers) || !isJson(thresholds)) {
    throw nonsense('an account without its balances, signers or thresholds');
  }
  const native = balances.filter(isJson).find(({ asset_type }) => asset_type === 'native');
  const balance = native ? amountOf(native.balance) : 0n;
  const liabilities = native?.selling_liabilities === undefined ? 0n : amountOf(native.selling_liabilities);
  const entries =
    2n +
    wholeOf(view.subentry_count ?? 0) +
    wholeOf(view.num_sponsoring ?? 0) -
    wholeOf(view.num_sponsored ?? 0);
  return {
    sequence: wholeOf(view.sequence),
    spendable: balance - liabilities - entries * baseReserve,
    signers: new Map(
      signers.filter(isJson).map(({ key, weight }) => [String(key), wholeOf(weight)] as const),
    ),
    threshold: wholeOf(thresholds.med_threshold),
    needsMemo: isJson(data) && data['config.memo_required'] === 'MQ==',
  };
}

/** What a transaction of one operation has to offer to get into a ledger now. */
export async function readFee(horizon: Horizon): Promise<bigint> {
  const stats = await horizon.get('/fee_stats');
  if (stats === null || !isJson(stats.fee_charged)) throw nonsense('no fees');
  const [base, usual] = [wholeOf(stats.last_ledger_base_fee), wholeOf(stats.fee_charged.p90)];
  return usual > base ? usual : base;
}

export type TransactionView = { hash: string; successful: boolean; fee: bigint };

/** A transaction in a ledger by its hash; null: this Horizon knows of none. */
export async function readTransaction(horizon: Horizon, hash: string): Promise<TransactionView | null> {
  const view = await horizon.get(`/transactions/${hash}`);
  return view === null ? null : transactionOf(view);
}

function transactionOf({ hash, successful, fee_charged }: Json): TransactionView {
  if (typeof hash !== 'string' || typeof successful !== 'boolean') {
    throw nonsense('a transaction without its hash or success');
  }
  return { hash, successful, fee: wholeOf(fee_charged) };
}

export type PastTransaction = TransactionView & { at: Date; envelope: string };

const pageSize = 200;
/** With more of them than this in the time in question, another way to look is needed. */
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
    const records = recordsOf((await horizon.get(path)) ?? {});
    for (const record of records) {
      const at = timeOf(record.created_at);
      if (at < since) return;
      if (typeof record.envelope_xdr !== 'string') throw nonsense('a transaction without its envelope');
      yield { ...transactionOf(record), at, envelope: record.envelope_xdr };
    }
    if (records.length < pageSize) return;
    const last = records.at(-1)!.paging_token;
    if (typeof last !== 'string') throw nonsense('a transaction without its paging token');
    cursor = `&cursor=${last}`;
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

function recordsOf(page: Json): Json[] {
  const embedded = page._embedded;
  if (!isJson(embedded) || !Array.isArray(embedded.records)) throw nonsense('a page without records');
  return embedded.records.filter(isJson);
}

/** A whole number of Horizon's, which it writes as a text where it may be large. */
function wholeOf(value: unknown): bigint {
  const text = typeof value === 'number' ? value.toString() : value;
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) throw nonsense('a number that is none');
  return BigInt(text);
}

function amountOf(value: unknown): bigint {
  const units = typeof value === 'string' ? unitsOfDecimal(value, piScale) : null;
  if (units === null) throw nonsense('an amount that is none');
  return units;
}

function timeOf(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) throw nonsense('a time that is none');
  return time;
}

const nonsense = (what: string): HorizonFault => new HorizonFault('nonsense', `answered ${what}`);
