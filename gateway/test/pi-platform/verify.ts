import { unitsOfDecimal } from '../../src/money/money.ts';
import { piScale } from '../../src/rails/pi/horizon/network.ts';
import { type PaymentDto, unitsOf } from './payment.ts';

type Transaction = { successful: boolean; memo_type: string; memo?: string };
type Operation = {
  type: string;
  asset_type?: string;
  to?: string;
  amount?: string;
  account?: string;
  starting_balance?: string;
};

/** Why a transaction is not the one that a payment asked for; null: it is. */
export type Mismatch =
  | 'transaction_not_found'
  | 'transaction_failed'
  | 'memo_mismatch'
  | 'recipient_mismatch'
  | 'amount_mismatch';

/** Looks a transaction up on Horizon and holds it against a payment: its memo, who gets it, and how much. */
export async function verifyTransaction(
  horizonUrl: string,
  txid: string,
  payment: PaymentDto,
): Promise<Mismatch | null> {
  const address = `${horizonUrl}/transactions/${encodeURIComponent(txid)}`;
  const transaction = await read<Transaction>(address);
  if (!transaction) return 'transaction_not_found';
  if (!transaction.successful) return 'transaction_failed';
  if (transaction.memo_type !== 'text' || transaction.memo !== payment.identifier) return 'memo_mismatch';
  const page = await read<{ _embedded: { records: Operation[] } }>(`${address}/operations?limit=200`);
  const delivered = (page?._embedded.records ?? []).flatMap((operation) => {
    const { to, amount } = deliveryOf(operation);
    return to === payment.to_address && amount !== undefined ? [unitsOfDecimal(amount, piScale)] : [];
  });
  if (delivered.length === 0) return 'recipient_mismatch';
  return delivered.includes(unitsOf(payment)) ? null : 'amount_mismatch';
}

function deliveryOf(operation: Operation): { to?: string | undefined; amount?: string | undefined } {
  const { type, asset_type, to, amount, account, starting_balance } = operation;
  if (type === 'payment' && asset_type === 'native') return { to, amount };
  return type === 'create_account' ? { to: account, amount: starting_balance } : {};
}

async function read<Body>(url: string): Promise<Body | null> {
  const response = await fetch(url);
  if (response.status === 404 || response.status === 400) return null;
  if (!response.ok) throw new Error(`Horizon answered ${response.status}`);
  return (await response.json()) as Body;
}
