import { Type } from 'typebox';
import type { Change } from '../../identity/audit/audit-log.ts';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Sending } from '../../rails/rail.ts';
import { maxMessageLength } from '../appeals/messages.ts';
import { returnUnmatched } from '../sending/return-unmatched.ts';
import { orderRefund, type SentTo } from '../sending/send-refund.ts';
import { OrderedRefund, OrderedReturn } from './console-answers/operators.ts';

export type SendingDeps = {
  assets: Assets;
  /** The rails that the gateway has a key for. */
  sendings: readonly Sending[];
  now: Clock;
};

const target = {
  to: Type.String({ format: 'line', minLength: 1, maxLength: 200 }),
  memo: Type.Optional(Type.String({ format: 'line', maxLength: 200 })),
};
const readTarget = fieldReader(Type.Object(target));
const readReturn = fieldReader(
  Type.Object({
    ...target,
    reason: Type.String({ format: 'text', minLength: 1, maxLength: maxMessageLength, pattern: '\\S' }),
  }),
);

/** Operators order the gateway to send live money to whom it is owed. */
export function sendingRoutes(dashboard: Console, { assets, sendings, now }: SendingDeps): void {
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.get(asset).scale);

  dashboard.write(
    'POST',
    'operator',
    '/owed-refunds/:refund/send',
    { fresh: true, answer: OrderedRefund },
    async (tx, call) => {
      const sentTo = targetOf(readTarget(call.body));
      const { payment, asset, units } = await orderRefund(
        tx,
        sendings,
        idOf(call.params.refund),
        sentTo,
        now(),
      );
      const change: Change = {
        action: 'ordered a refund to be sent',
        subject: { kind: 'payment', id: payment.id },
        after: { amount: decimal(asset, units), asset, ...sentTo },
        integrationId: payment.integrationId,
      };
      return { message: 'Refund ordered', data: { state: 'sending' as const }, change };
    },
  );

  dashboard.write(
    'POST',
    'operator',
    '/strays/:deposit/send-back',
    { fresh: true, answer: OrderedReturn },
    async (tx, call) => {
      const { reason, ...body } = readReturn(call.body);
      const sentTo = targetOf(body);
      const id = idOf(call.params.deposit);
      const by = { accountId: call.session.account.id, reason: reason.trim() };
      const { transaction, asset, units } = await returnUnmatched(tx, sendings, id, sentTo, by, now());
      const change: Change = {
        action: 'ordered money that named no payment to be sent back',
        subject: { kind: 'stray', id },
        after: { transaction, amount: decimal(asset, units), asset, ...sentTo, words: by.reason },
      };
      return { message: 'Return ordered', data: { state: 'returning' as const }, change };
    },
  );
}

/** Where to, without what comes along when it is pasted. */
function targetOf({ to, memo = '' }: { to: string; memo?: string }): SentTo {
  return { to: to.trim(), memo: memo.trim() === '' ? null : memo.trim() };
}

function idOf(text: string | undefined): string {
  if (text === undefined || !isUuid(text)) throw refuse(kitErrors.not_found);
  return text;
}
