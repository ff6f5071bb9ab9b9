import { storeIdOf } from '../../identity/store-id.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { worthAt } from '../../money/rate-units.ts';
import type { InvoicedPayment } from '../../payments/payment/invoice.ts';
import { isCharged, type Payment } from '../../payments/payment/payment.ts';
import { askedOf } from '../../payments/payment/price.ts';
import { receivedUnits, transfersOfAll } from '../../payments/settlement/received.ts';
import type { TransferRow } from '../../payments/settlement/transfer.ts';
import { methodOf } from '../stores/methods.ts';
import { statusOf } from './status.ts';

export type ViewDeps = { assets: Assets; baseUrl: string };

export const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Invoices as that API shows them. */
export async function invoiceViews(reader: Reader, deps: ViewDeps, found: readonly InvoicedPayment[]) {
  const transfers = await transfersOfAll(
    reader,
    found.map(({ payment }) => payment.id),
  );
  const byPayment = Map.groupBy(transfers, ({ payment_id }) => payment_id);
  return found.map((each) => viewOf(deps, each, byPayment.get(each.payment.id) ?? []));
}

export async function invoiceView(reader: Reader, deps: ViewDeps, found: InvoicedPayment) {
  const [view] = await invoiceViews(reader, deps, [found]);
  if (!view) throw new Error('An invoice was not shown');
  return view;
}

function viewOf(
  { assets, baseUrl }: ViewDeps,
  { invoice, payment }: InvoicedPayment,
  transfers: TransferRow[],
) {
  const { status, additionalStatus } = statusOf(payment);
  const { amount, currency } = askedOf(payment);
  return {
    id: invoice.id,
    storeId: storeIdOf(payment),
    ...{ amount, paidAmount: paidOf(assets, payment, transfers), currency },
    type: 'Standard',
    checkoutLink: `${baseUrl}/i/${invoice.id}`,
    createdTime: seconds(payment.createdAt),
    expirationTime: seconds(payment.deadline),
    monitoringExpiration: seconds(payment.deadline) + payment.lateWindowSeconds,
    ...{ status, additionalStatus },
    availableStatusesForManualMarking: status === 'New' ? ['Invalid'] : [],
    archived: invoice.archived,
    metadata: JSON.parse(invoice.metadata) as object,
    checkout: checkoutOf(assets, { invoice, payment }),
    receipt: { enabled: true, showQR: false, showPayments: true },
  };
}

/** What came, in the money of the invoice. */
function paidOf(assets: Assets, payment: Payment, transfers: TransferRow[]): string {
  if (!isCharged(payment)) return '0';
  const received = receivedUnits(assets, payment, transfers);
  const { price, rate } = payment;
  if (price === null || rate === null) return decimalOf(received, fineScale);
  const digits = minorDigits(price.currency);
  return decimalOf(worthAt(received, fineScale, rate, digits), digits);
}

function checkoutOf(assets: Assets, { invoice, payment }: InvoicedPayment) {
  const { searchTerms: _, ...asked } = invoice.checkout;
  return {
    ...asked,
    speedPolicy: asked.speedPolicy ?? 'MediumSpeed',
    paymentMethods: methodsOf(assets, payment),
    lazyPaymentMethods: false,
    expirationMinutes: asked.expirationMinutes ?? minutes(payment.deadlineSeconds * 1000),
    monitoringMinutes: minutes(payment.lateWindowSeconds * 1000),
    paymentTolerance: payment.shortPercent ?? 0,
    redirectAutomatically: payment.redirects ?? false,
    requiresRefundEmail: null,
    checkoutType: null,
  };
}

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The payment methods of an invoice: those that the shop named, or what its customer may choose from. */
function methodsOf(assets: Assets, { assetCodes, choices, currency, mode }: Payment): string[] {
  if (assetCodes) return assetCodes.map((code) => methodOf({ code }));
  const paid = choices ?? (currency === null ? [] : [currency]);
  return paid.flatMap((each) => assets.of(mode).offered(each)).map(methodOf);
}
