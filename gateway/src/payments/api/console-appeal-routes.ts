import { Type } from 'typebox';
import type { Change } from '../../identity/audit/audit-log.ts';
import type { Call, Console, Scope } from '../../identity/console/console.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageFields } from '../../kit/http/page-query.ts';
import { answerAppeal, maxMessageLength } from '../appeals/messages.ts';
import { describeAppeal, listAppeals } from '../appeals/read.ts';
import { acceptAppeal, type DecidedBy, rejectAppeal, returnAppeal } from '../appeals/resolve.ts';
import { type AppealScope, appealReasons } from '../payment/appeal.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import type { DescribeDeps } from '../read/read.ts';
import { Appeal, AppealPage } from './console-answers/appeals.ts';

export type AppealConsoleDeps = StateDeps & DescribeDeps & { db: Database };

const AppealsQuery = Type.Object({
  status: Type.Optional(Type.Enum(['open', 'closed'])),
  reason: Type.Optional(Type.Enum([...appealReasons])),
  ...pageFields,
});
const readQuery = queryReader(AppealsQuery);

const words = { format: 'text', minLength: 1, maxLength: maxMessageLength, pattern: '\\S' };
const readMessage = fieldReader(Type.Object({ text: Type.String(words) }));
const readDecision = fieldReader(Type.Object({ reason: Type.Optional(Type.String(words)) }));
const readOperatorDecision = fieldReader(Type.Object({ reason: Type.String(words) }));

type Decide = typeof acceptAppeal;

/** What the change's log calls a decision; the payment's timeline shows it too. */
const actions = {
  accept: 'accepted what came',
  return: 'gave the money back',
  reject: 'rejected the dispute',
} as const;

/** Appeals for the business and for operators (contract.md#states): what came, what was said, and the decisions. */
export function appealConsoleRoutes(dashboard: Console, deps: AppealConsoleDeps): void {
  conversationRoutes(dashboard, deps);
  decisionRoutes(dashboard, deps);
}

/** Appeals are listed, shown and answered. */
function conversationRoutes(dashboard: Console, deps: AppealConsoleDeps): void {
  const { db } = deps;
  async function answer(tx: Tx, call: Call<Scope>, author: DecidedBy['as']) {
    const scope = scopeOf(call);
    const { text } = readMessage(call.body);
    const message = { author, accountId: call.session.account.id, text: text.trim() };
    const appeal = await answerAppeal(tx, deps, { scope, id: call.params.appeal ?? '' }, message);
    const change: Change = {
      action: 'answered an appeal',
      subject: { kind: 'payment', id: appeal.payment_id },
      integrationId: appeal.integration_id,
    };
    return {
      message: 'Message sent',
      data: await describeAppeal(tx, deps, { scope, id: appeal.id }),
      change,
    };
  }

  const list = async (call: Call<Scope>) => ({
    message: 'Appeals',
    data: await listAppeals(db, deps.assets, scopeOf(call), readQuery(call.query)),
  });
  const show = async (call: Call<Scope>) => ({
    message: 'Appeal',
    data: await describeAppeal(db, deps, { scope: scopeOf(call), id: call.params.appeal ?? '' }),
  });

  dashboard.get('mode', '/appeals', { may: 'read', answer: AppealPage }, list);
  dashboard.get('operator', '/appeals', { answer: AppealPage }, list);
  dashboard.get('mode', '/appeals/:appeal', { may: 'read', answer: Appeal }, show);
  dashboard.get('operator', '/appeals/:appeal', { answer: Appeal }, show);
  dashboard.write(
    'POST',
    'mode',
    '/appeals/:appeal/messages',
    { may: 'answer appeals', answer: Appeal },
    (tx, call) => answer(tx, call, 'merchant'),
  );
  dashboard.write('POST', 'operator', '/appeals/:appeal/messages', { answer: Appeal }, (tx, call) =>
    answer(tx, call, 'operator'),
  );
}

function decisionRoutes(dashboard: Console, deps: AppealConsoleDeps): void {
  function decision(
    how: keyof typeof actions,
    decide: Decide,
    as: DecidedBy['as'],
    read: typeof readDecision,
  ) {
    return async (tx: Tx, call: Call<Scope>) => {
      const scope = scopeOf(call);
      const id = call.params.appeal ?? '';
      const { reason = null } = read(call.body);
      const by: DecidedBy = { accountId: call.session.account.id, as, note: reason };
      const payment = await decide(tx, deps, { scope, id }, by);
      const data = await describeAppeal(tx, deps, { scope, id });
      return { message: 'Appeal closed', data, change: changeOf(actions[how], payment, data, reason) };
    };
  }

  const ofBusiness = { may: 'accept appeals', fresh: true } as const;
  dashboard.write(
    'POST',
    'mode',
    '/appeals/:appeal/accept',
    { ...ofBusiness, answer: Appeal },
    decision('accept', acceptAppeal, 'merchant', readDecision),
  );
  dashboard.write(
    'POST',
    'mode',
    '/appeals/:appeal/return',
    { ...ofBusiness, answer: Appeal },
    decision('return', returnAppeal, 'merchant', readDecision),
  );
  dashboard.write(
    'POST',
    'operator',
    '/appeals/:appeal/return',
    { fresh: true, answer: Appeal },
    decision('return', returnAppeal, 'operator', readOperatorDecision),
  );
  dashboard.write(
    'POST',
    'operator',
    '/appeals/:appeal/reject-dispute',
    { fresh: true, answer: Appeal },
    decision('reject', rejectAppeal, 'operator', readOperatorDecision),
  );
}

function scopeOf(call: Call<Scope>): AppealScope {
  return 'owner' in call ? call.owner : 'all';
}

function changeOf(
  action: string,
  payment: Payment,
  appeal: Awaited<ReturnType<typeof describeAppeal>>,
  reason: string | null,
): Change {
  return {
    action,
    subject: { kind: 'payment', id: payment.id },
    before: { payment_status: 'in-appeal', reason: appeal.reason },
    after: { payment_status: payment.status, reason: payment.reason, ...(reason && { words: reason }) },
    integrationId: payment.integrationId,
  };
}
