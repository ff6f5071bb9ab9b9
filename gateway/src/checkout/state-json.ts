import { safeUrl } from '../kit/http/html.ts';
import { fineScale } from '../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../money/money.ts';
import type { CheckoutDestination, CheckoutPayment } from './checkout-payment.ts';
import type { RefundLine } from './owed.ts';
import { isOpen } from './priced.ts';

/** The answer of `GET {pay_url}/state` and the data of its stream (contract.md#page). Amounts are decimal strings. */
export type StateJson = {
  payment_status: CheckoutPayment['status'];
  amount: string;
  currency: string;
  fee_payer: CheckoutPayment['feePayer'];
  /** Null while an open payment has no quote, as what was received. */
  amount_due: string | null;
  amount_received: string | null;
  deadline: string;
  destinations: CheckoutDestination[];
  transfers: { transaction: string; amount: string; confirmations: number; needed: number }[];
  /** The refunds of the payment, and what its customer may claim by asset (contract.md#refunds). */
  refunds: Pick<RefundLine, 'id' | 'status' | 'asset' | 'amount' | 'to' | 'transaction'>[];
  owed: { asset: string; amount: string }[];
  /** Of a priced payment. */
  choices?: Omit<CheckoutPayment['choices'][number], 'currency'>[];
  quote?: CheckoutPayment['quote'];
  return_url?: string;
  sequence: number;
};

/** The state of a payment as JSON. It has `return_url` only once the payment has ended. */
export function stateOf(view: CheckoutPayment): StateJson {
  const returnUrl = returnUrlOf(view);
  return {
    payment_status: view.status,
    amount: (view.price ?? view).amount,
    currency: (view.price ?? view).currency,
    fee_payer: view.feePayer,
    amount_due: isOpen(view) ? null : view.amountDue,
    amount_received: isOpen(view) ? null : view.amountReceived,
    deadline: view.deadline.toISOString(),
    destinations: view.destinations.map(({ asset, network, address, memo, amount }) => ({
      asset,
      network,
      address,
      memo,
      amount,
    })),
    transfers: view.transfers
      .filter((transfer) => transfer.state !== 'gone')
      .map(({ transaction, amount, confirmations, needed }) => ({
        transaction,
        amount,
        confirmations,
        needed,
      })),
    refunds: view.refunds.map(({ id, status, asset, amount, to, transaction }) => ({
      ...{ id, status, asset, amount, to, transaction },
    })),
    owed: owedByAsset(view),
    ...(view.price && {
      choices: view.choices.map(({ asset, amount, rate }) => ({ asset, amount, rate })),
      quote: view.quote,
    }),
    ...(returnUrl && { return_url: returnUrl.href }),
    sequence: view.version,
  };
}

/** What is owed in each asset, whether a refund of it exists or not. */
function owedByAsset({ owed }: CheckoutPayment): StateJson['owed'] {
  const sums = new Map<string, bigint>();
  for (const { asset, amount } of owed) {
    sums.set(asset, (sums.get(asset) ?? 0n) + (unitsOfDecimal(amount, fineScale) ?? 0n));
  }
  return [...sums].map(([asset, units]) => ({ asset, amount: decimalOf(units, fineScale) }));
}

/**
 * Where the customer returns to: the success address of a completed payment, the failure address of a failed
 * or cancelled one, else null. No other code chooses between them, so an unpaid payment never leads to success.
 */
export function returnUrlOf(view: CheckoutPayment): URL | null {
  if (view.status === 'completed') return safeUrl(view.successUrl);
  if (view.status === 'failed' || view.status === 'cancelled') return safeUrl(view.failureUrl);
  return null;
}

/** The states of refunds that go on without the customer. */
const refundsUnderWay: ReadonlySet<string> = new Set([
  'awaiting_approval',
  'awaiting_transfer',
  'queued',
  'sending',
]);

/**
 * Whether nothing more will happen by itself: the payment and its late window have ended, and no transfer or refund is
 * under way. What people begin later is shown when the page is opened again.
 */
export function isOver(view: CheckoutPayment, now: Date): boolean {
  if (view.endedAt === null || view.stepsAhead > 0) return false;
  if (view.status === 'cancelled' && view.lateUntil !== null && view.lateUntil > now) return false;
  const isMoving = view.transfers.some(({ state }) => state === 'seen');
  return !isMoving && !view.refunds.some(({ status }) => refundsUnderWay.has(status));
}
