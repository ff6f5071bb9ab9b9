import { Type } from 'typebox';
import type { Change } from '../../identity/audit/audit-log.ts';
import type { Console } from '../../identity/console/console.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import { decimalOf } from '../../money/money.ts';
import { maxMessageLength } from '../appeals/messages.ts';
import type { StateDeps } from '../payment/state.ts';
import { orderOwedRefund } from '../refunds/by-operator.ts';
import type { Destination } from '../refunds/send.ts';
import { returnUnmatched } from '../unmatched/return-unmatched.ts';
import { OrderedRefund, OrderedReturn } from './console-answers/operators.ts';

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
export function sendingRoutes(dashboard: Console, deps: StateDeps): void {
  const { assets } = deps;
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.get(asset).scale);

  dashboard.propose(
    'POST',
    '/owed-refunds/:refund/send',
    { kind: 'owed_refund', title: 'Send a refund that is owed', answer: OrderedRefund },
    async (tx, { params, body, by: { accountId }, isConfirmed }) => {
      const sentTo = targetOf(readTarget(body));
      const id = idOf(params.refund);
      const by = { accountId, name: 'operator', isConfirmed };
      const { payment, refund } = await orderOwedRefund(tx, deps, id, { destination: sentTo, by });
      const change: Change = {
        action: 'ordered a refund to be sent',
        subject: { kind: 'payment', id: payment.id },
        after: { amount: decimal(refund.asset, refund.units), asset: refund.asset, ...sentTo },
        integrationId: payment.integrationId,
      };
      return { message: 'Refund ordered', data: { state: 'sending' as const }, change };
    },
  );

  dashboard.propose(
    'POST',
    '/strays/:deposit/send-back',
    { kind: 'stray_return', title: 'Send money back that named no payment', answer: OrderedReturn },
    async (tx, { params, body, by: { accountId }, isConfirmed }) => {
      const { reason, ...where } = readReturn(body);
      const sentTo = targetOf(where);
      const id = idOf(params.deposit);
      const by = { accountId, reason: reason.trim(), isConfirmed };
      const { transaction, asset, units } = await returnUnmatched(tx, deps, id, { ...sentTo, by });
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
function targetOf({ to, memo = '' }: { to: string; memo?: string }): Destination {
  return { to: to.trim(), memo: memo.trim() === '' ? null : memo.trim() };
}

function idOf(text: string | undefined): string {
  if (text === undefined || !isUuid(text)) throw refuse(kitErrors.not_found);
  return text;
}
