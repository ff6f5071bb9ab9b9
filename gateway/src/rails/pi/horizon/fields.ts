import { unitsOfDecimal } from '../../../money/money.ts';
import { plain } from '../../endpoint-address.ts';
import { type Horizon, HorizonFault, isJson, type Json } from './horizon.ts';
import { piScale } from './network.ts';

// Reads the answers of a Horizon. Any other form is a fault of that Horizon, so that nothing is read from an answer that
// was cut off, mixed up or invented.

export const nonsense = (why: string): HorizonFault => new HorizonFault('nonsense', why);

export function textAt(json: Json, name: string): string {
  const value = json[name];
  if (typeof value !== 'string') throw nonsense(`an answer without ${name}`);
  return value;
}

export function jsonAt(json: Json, name: string): Json {
  const value = json[name];
  if (!isJson(value)) throw nonsense(`an answer without ${name}`);
  return value;
}

/** A text, or null where there is none. */
export function optionalText(json: Json, name: string): string | null {
  return json[name] === undefined || json[name] === null ? null : textAt(json, name);
}

/** A whole number of at most twenty digits, as a text or as a number of JSON. */
export function countAt(json: Json, name: string): bigint {
  const text = String(json[name]);
  if (!/^\d{1,20}$/.test(text)) throw nonsense(`an answer whose ${name} is no count`);
  return BigInt(text);
}

export function momentAt(json: Json, name: string): Date {
  const moment = new Date(textAt(json, name));
  if (Number.isNaN(moment.getTime())) throw nonsense(`an answer whose ${name} is no time`);
  return moment;
}

/** An amount of the network's coin. */
export function unitsAt(json: Json, name: string): bigint {
  const units = unitsOfDecimal(textAt(json, name), piScale);
  if (units === null) throw nonsense(`an answer whose ${name} is no amount`);
  return units;
}

/** The records of a page. */
export function recordsOf(page: Json): Json[] {
  const { records } = jsonAt(page, '_embedded');
  if (!Array.isArray(records) || !records.every(isJson)) throw nonsense('a page without records');
  return records;
}

/** What a Horizon reports of itself at its root. */
export type LedgerHead = { passphrase: string; ledger: bigint; closedAt: Date };

function headIn(root: Json | null): LedgerHead {
  if (!root) throw nonsense('nothing at its root');
  return {
    passphrase: textAt(root, 'network_passphrase'),
    ledger: countAt(root, 'history_latest_ledger'),
    closedAt: momentAt(root, 'history_latest_ledger_closed_at'),
  };
}

/** Asks a Horizon how far it is. Throws HorizonFault, also where it serves another network. */
export async function headAt(horizon: Horizon, passphrase: string): Promise<LedgerHead> {
  const head = headIn(await horizon.get('/'));
  if (head.passphrase === passphrase) return head;
  const why = `serves the network "${plain(head.passphrase).slice(0, 100)}", and not "${passphrase}"`;
  throw new HorizonFault('wrong_chain', why);
}

/** A transaction in a ledger, successful or not. */
export type TransactionAnswer = {
  hash: string;
  isSuccessful: boolean;
  ledger: bigint;
  closedAt: Date;
  memoType: string;
  /** As its sender wrote it; null: none. */
  memo: string | null;
  /** Who bears the fee. */
  feeAccount: string;
  fee: bigint;
};

export function transactionIn(json: Json): TransactionAnswer {
  const memoType = textAt(json, 'memo_type');
  if (typeof json.successful !== 'boolean') throw nonsense('a transaction that is neither good nor bad');
  return {
    hash: hashAt(json, 'hash'),
    isSuccessful: json.successful,
    ledger: countAt(json, 'ledger'),
    closedAt: momentAt(json, 'created_at'),
    memoType,
    memo: memoType === 'none' ? null : (optionalText(json, 'memo') ?? ''),
    feeAccount: optionalText(json, 'fee_account') ?? textAt(json, 'source_account'),
    fee: countAt(json, 'fee_charged'),
  };
}

export function hashAt(json: Json, name: string): string {
  const hash = textAt(json, name);
  if (!/^[0-9a-f]{64}$/.test(hash)) throw nonsense(`an answer whose ${name} is no hash`);
  return hash;
}
