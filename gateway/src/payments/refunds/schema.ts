import { Type } from 'typebox';
import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { named } from '../../kit/http/answers.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { amountRefusal, unitsOfAmount } from '../../ledger/amount.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { strictMoney } from '../../payouts/api/schema.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { Sending } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
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
    const { amount, asset, to, memo, reason } = fieldsOf[payment.mode](body ?? {});
    const refunded = assets.get(await chosenAsset(reader, assets, payment, asset?.code ?? null));
    return {
      asset: refunded.code,
      units: amount === undefined ? null : unitsOf(amount, refunded),
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

function unitsOf(amount: unknown, asset: Asset): bigint {
  const units = unitsOfAmount(amount, asset.scale);
  if (typeof units === 'bigint') return units;
  throw amountRefusal(units, asset.currency);
}

/** Refuses a destination that the rail cannot send to. */
function destinationOf(faultOf: FaultOf, { code }: Asset, destination: Destination): Destination {
  const fault = faultOf({ asset: code, ...destination });
  if (fault) throw invalid(fault.field, fault.why);
  return destination;
}
