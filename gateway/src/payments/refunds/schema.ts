import { Type } from 'typebox';
import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { named } from '../../kit/http/answers.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { amountRefusal, unitsOfAmount } from '../../ledger/amount.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { DryRun, strictMoney } from '../../payouts/api/schema.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { Sending } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { unitsOfPrice } from '../prices/quote.ts';
import { chosenAsset, type WantedRefund } from './order.ts';
import type { Destination } from './send.ts';

export const RefundBody = Type.Object(
  {
    amount: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description:
          'A decimal string at the scale of the asset, or a JSON number; all that can be refunded, if absent.',
      }),
    ),
    price_amount: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description:
          'Of a payment with a price, in place of `amount`: so much of its price, at the rate of its quote, rounded down.',
      }),
    ),
    asset: Type.Optional(
      Type.String({ description: 'An asset code; needed where the payment was paid in several.' }),
    ),
    to: Type.Optional(
      Type.String({
        maxLength: 200,
        format: 'line',
        description: 'The address; if absent the customer is asked.',
      }),
    ),
    memo: Type.Optional(Type.String({ maxLength: 100, format: 'line' })),
    reason: Type.Optional(Type.String({ maxLength: 500, format: 'text' })),
    dry_run: DryRun,
  },
  named(
    'RefundInput',
    'Body of `refunds.create`. Without `amount`: all that can be refunded; without `to` the customer is asked.',
  ),
);

/** What a rail says of a destination; null: it is good. */
export type FaultOf = Sending['faultOf'];

/** Returns what reads a refund of a payment: its amount is at the scale of the asset that is refunded. */
export function refundReader(
  assets: Assets,
  faultOf: (mode: Mode) => FaultOf,
): (reader: Reader, payment: Payment, body: unknown) => Promise<WantedRefund> {
  const fieldsOf = { test: refundFields(assets.of('test')), live: refundFields(assets.of('live')) };
  return async (reader, payment, body) => {
    const { amount, price_amount, asset, to, memo, reason } = fieldsOf[payment.mode](body ?? {});
    const refunded = assets.get(await chosenAsset(reader, assets, payment, asset?.code ?? null));
    return {
      asset: refunded.code,
      units:
        price_amount === undefined ? unitsOf(amount, refunded) : pricedUnits(payment, price_amount, refunded),
      destination:
        to === undefined ? null : destinationOf(faultOf(payment.mode), refunded, { to, memo: memo ?? null }),
      reason: reason ?? null,
    };
  };
}

const widestScale = 18;

/** Reads the fields; `assets` are those of the payment's mode. */
function refundFields(assets: Assets) {
  const find = (code: unknown): Asset | undefined =>
    typeof code === 'string' ? assets.find(code) : undefined;
  return fieldReader(
    RefundBody,
    {},
    {
      // Without an asset only its sign is looked at here; what can be refunded is asked afterwards.
      amount: (value, input): unknown => {
        const isPriced = ![undefined, null, ''].includes(input.price_amount as string);
        if (isPriced && value !== undefined)
          return invalid('amount', 'leave it out where price_amount is given');
        const asset = find(input.asset);
        const units = value === undefined ? 0n : unitsOfAmount(value, asset?.scale ?? widestScale);
        return typeof units === 'bigint' ? value : amountRefusal(units, asset?.currency ?? '');
      },
      asset: (value) =>
        value === undefined ? undefined : (find(value) ?? refuse(payoutErrors.asset_unsupported)),
    },
    strictMoney,
  );
}

function unitsOf(amount: unknown, asset: Asset): bigint | null {
  if (amount === undefined) return null;
  const units = unitsOfAmount(amount, asset.scale);
  if (typeof units === 'bigint') return units;
  throw amountRefusal(units, asset.currency);
}

/** What a part of the payment's price is worth in units of the asset, at the rate of its quote. */
function pricedUnits(payment: Payment, written: unknown, asset: Asset): bigint {
  const { price, rate, currency } = payment;
  if (price === null || rate === null) throw invalid('price_amount', 'the payment has no price');
  if (asset.currency !== currency)
    throw invalid('price_amount', `the payment is not quoted in ${asset.currency}`);
  const scale = minorDigits(price.currency);
  const amount = unitsOfAmount(written, scale);
  if (amount === 'not_positive') throw invalid('price_amount', 'must be a positive number');
  if (amount === 'too_large') throw invalid('price_amount', 'is too large');
  if (amount === 'too_many_decimals')
    throw invalid('price_amount', `must have at most ${scale} decimals in ${price.currency}`);
  const units = unitsOfPrice({ amount, currency: price.currency }, rate, asset.scale);
  if (units === 0n) throw invalid('price_amount', `is worth less than the smallest unit of ${asset.code}`);
  return units;
}

/** Refuses a destination that the rail cannot send to. */
function destinationOf(faultOf: FaultOf, { code }: Asset, destination: Destination): Destination {
  const fault = faultOf({ asset: code, ...destination });
  if (fault) throw invalid(fault.field, fault.why);
  return destination;
}
