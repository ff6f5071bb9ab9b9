import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Asset, type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { isCharged, type Payment } from '../../payments/payment/payment.ts';
import { choicesOf } from '../../payments/prices/choices.ts';
import { quotesOf } from '../../payments/prices/quotes.ts';
import { rateText } from '../../payments/prices/view.ts';
import { invoicePayment } from '../../payments/settlement/invoice-facts.ts';
import { dueUnits, fineUnits, receivedUnits, transfersOf } from '../../payments/settlement/received.ts';
import type { TransferRow } from '../../payments/settlement/transfer.ts';
import type { Rail } from '../../rails/rail.ts';
import { simulatedDestination } from '../../rails/simulated/rail.ts';
import { methodOf } from '../stores/methods.ts';

export type MethodDeps = { assets: Assets; rail: Pick<Rail, 'destinations'>; now: Clock };

/** What of a currency is due, at `fineScale`, and its rate in the money of the invoice. */
type Due = { units: bigint; rate: string };

/** How an invoice can be paid or was paid, each way with what came by it. */
export async function methodViews(
  reader: Reader,
  deps: MethodDeps,
  payment: Payment,
  { onlyAccounted }: { onlyAccounted: boolean },
) {
  const { assets } = deps;
  const transfers = await transfersOf(reader, payment.id);
  const dues = await duesOf(reader, deps, payment);
  const destinations = await destinationsOf(reader, deps, payment);
  const received = receivedUnits(assets, payment, transfers);
  return [...dues].flatMap(([currency, due]) =>
    assets
      .of(payment.mode)
      .ofCurrency(currency)
      .filter((asset) => isShown(payment, asset, transfers))
      .map((asset) => {
        const own = transfers.filter((each) => each.asset === asset.code);
        const came = own.filter(({ state }) => state !== 'gone');
        const total = payment.currency === currency ? received : 0n;
        const destination = destinations(asset);
        return {
          activated: true,
          ...{ paymentMethod: methodOf(asset), paymentMethodId: methodOf(asset) },
          ...{ cryptoCode: asset.currency, currency: asset.currency },
          ...{ destination, paymentLink: null, rate: due.rate },
          paymentMethodPaid: fine(came.reduce((sum, each) => sum + fineUnits(assets, each), 0n)),
          totalPaid: fine(total),
          due: fine(due.units - total),
          amount: fine(due.units),
          ...{ networkFee: '0', paymentMethodFee: '0' },
          payments: (onlyAccounted ? came : own).map((each) => invoicePayment(assets, each, destination)),
          additionalData: {},
        };
      }),
  );
}

const fine = (units: bigint): string => decimalOf(units, fineScale);

/** Whether a customer may choose it, or has paid with it. */
function isShown({ assetCodes }: Payment, { code }: Asset, transfers: readonly TransferRow[]): boolean {
  return (assetCodes?.includes(code) ?? true) || transfers.some(({ asset }) => asset === code);
}

/** What is due in each currency that pays the invoice and has a rate. */
async function duesOf(reader: Reader, { now }: MethodDeps, payment: Payment) {
  if (payment.price === null) {
    return isCharged(payment)
      ? new Map([[payment.currency, { units: dueUnits(payment), rate: '1' } satisfies Due]])
      : new Map<never, Due>();
  }
  const known = (await quotesOf(reader, [payment])).map(({ quote }) => quote);
  const choices = await choicesOf(reader, payment, known, now());
  return new Map(
    choices.flatMap(({ currency, quote }) =>
      quote
        ? [[currency, { units: dueUnits(quote), rate: rateText(quote.rate) } satisfies Due] as const]
        : [],
    ),
  );
}

/** Where money in an asset goes; empty while there is no such place yet. */
async function destinationsOf(reader: Reader, { rail }: MethodDeps, { id, mode }: Payment) {
  const made = await rail.destinations(reader, id);
  return ({ code, network, isTest }: Asset): string => {
    if (mode === 'test' && !isTest) return simulatedDestination(id, code, network).address;
    return made.find(({ asset }) => asset === code)?.address ?? '';
  };
}
