import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Asset } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { approvePayout, rejectPayout } from '../lifecycle/approve.ts';
import { failPayout } from '../lifecycle/cancel.ts';
import { payoutErrors } from '../payout/errors.ts';
import { movesOf, type QueuedPayout, queuedPayouts, queueKinds } from '../payout/history.ts';
import type { Payout } from '../payout/payout.ts';
import { createAvailability } from '../rules/availability.ts';
import { payoutStop, resumePayouts, stopPayouts } from '../rules/stop.ts';
import { type PayoutTerms, payoutTermsOf, setPayoutTerms } from '../rules/terms.ts';
import {
  ConsolePayout,
  PayoutStopData,
  PayoutTermsData,
  PayoutTermsPage,
  QueuedPayoutDetail,
  QueuedPayoutPage,
} from './console-answers.ts';
import { changeOf, type PayoutConsoleDeps, readReason } from './console-routes.ts';
import { consoleViewOf, consoleViewsOf } from './console-views.ts';

const QueueQuery = Type.Object({
  kind: Type.Optional(Type.Enum([...queueKinds])),
  mode: Type.Optional(Type.Enum(['test', 'live'])),
  ...pageFields,
});
const readQueueQuery = queryReader(QueueQuery);

/** Payouts of the whole installation: those that need an operator, and the switch that stops all. */
export function payoutOperatorRoutes(dashboard: Console, deps: PayoutConsoleDeps): void {
  const { db } = deps;
  const belongs = ({ payout: { mode }, integration }: QueuedPayout) => ({ mode, integration });

  dashboard.get('operator', '/payouts', { answer: QueuedPayoutPage }, async ({ query, session }) => {
    const { kind = 'attention', mode, ...place } = readQueueQuery(query);
    const page = await pageById(place, async (rows) =>
      (await queuedPayouts(db, { kind, mode }, rows)).map((queued) => ({ id: queued.payout.id, queued })),
    );
    const queued = page.items.map((item) => item.queued);
    const payouts = queued.map(({ payout }) => payout);
    const views = await consoleViewsOf(db, deps, session.account.id, payouts);
    const items = views.flatMap((view, index) => {
      const found = queued[index];
      return found ? [{ ...view, ...belongs(found) }] : [];
    });
    return { message: 'Payouts', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.get(
    'operator',
    '/payouts/:payout',
    { answer: QueuedPayoutDetail },
    async ({ params, session }) => {
      const found = await findQueued(db, params);
      const view = await consoleViewOf(db, deps, session.account.id, found.payout);
      const data = { ...view, ...belongs(found), moves: await movesOf(db, found.payout.id) };
      return { message: 'Payout', data };
    },
  );

  decisionRoutes(dashboard, deps);
  stopRoutes(dashboard, deps);
}

function decisionRoutes(dashboard: Console, deps: PayoutConsoleDeps): void {
  const decide = (
    path: 'approve' | 'reject' | 'fail',
    words: { action: string; message: string },
    act: (tx: Tx, call: Call<'operator'>, id: string) => Promise<{ payout: Payout; reason?: string }>,
  ) =>
    dashboard.write(
      'POST',
      'operator',
      `/payouts/:payout/${path}`,
      { fresh: true, answer: ConsolePayout },
      async (tx, call) => {
        const { payout, reason } = await act(tx, call, idOf(call.params));
        const change = { action: words.action, ...changeOf(deps, payout, reason) };
        const data = await consoleViewOf(tx, deps, call.session.account.id, payout);
        return { message: words.message, data, change };
      },
    );

  decide(
    'approve',
    { action: 'approved a payout', message: 'Payout approved' },
    async (tx, { session: { account } }, id) => {
      const approver = { accountId: account.id, name: account.email, side: 'operator' } as const;
      return { payout: await approvePayout(tx, deps, id, approver) };
    },
  );
  decide('reject', { action: 'rejected a payout', message: 'Payout rejected' }, async (tx, { body }, id) => {
    const { reason } = readReason(body);
    return { payout: await rejectPayout(tx, deps, id, reason), reason };
  });
  decide('fail', { action: 'failed a payout', message: 'Payout failed' }, async (tx, { body }, id) => {
    const { reason } = readReason(body);
    return { payout: await failPayout(tx, deps, id, reason), reason };
  });
}

/** The switch that stops all payouts. */
function stopRoutes(dashboard: Console, { db, now, sendings }: PayoutConsoleDeps): void {
  const senders = sendings.flatMap(({ mode, rail }) => (mode === 'live' ? [rail] : []));

  dashboard.get('operator', '/payout-stop', { answer: PayoutStopData }, async () => ({
    message: 'Stop switch',
    data: await payoutStop(db),
  }));

  // Without a fresh sign-in: whoever sees something wrong can stop at once.
  dashboard.write(
    'POST',
    'operator',
    '/payout-stop',
    { answer: PayoutStopData },
    async (tx, { body, session }) => {
      const { reason } = readReason(body);
      const isSet = (await payoutStop(tx)) !== null;
      await stopPayouts(tx, { reason, by: session.account.email, at: now() });
      const change = {
        action: 'stopped all payouts',
        subject: { kind: 'payouts', id: 'all' },
        after: { reason },
      };
      return { message: 'Payouts stopped', data: await payoutStop(tx), change: isSet ? null : change };
    },
  );

  dashboard.write('DELETE', 'operator', '/payout-stop', { fresh: true, answer: Nothing }, async (tx) => {
    const before = await payoutStop(tx);
    const isLifted = await resumePayouts(tx, senders);
    const change = {
      action: 'let payouts continue',
      subject: { kind: 'payouts', id: 'all' },
      before: before && { reason: before.reason, by: before.by },
    };
    return { message: 'Payouts continue', data: null, change: isLifted ? change : null };
  });
}

const TermsBody = Type.Object({
  fee: Type.String({ maxLength: 100 }),
  minimum: Type.String({ maxLength: 100 }),
  daily_limit: Type.Optional(Type.String({ maxLength: 100 })),
  approve_above: Type.Optional(Type.String({ maxLength: 100 })),
});
const readTerms = fieldReader(TermsBody);

/** What operators set for payouts in each asset. */
export function payoutTermsRoutes(
  dashboard: Console,
  { db, assets, sendings, now }: PayoutConsoleDeps,
): void {
  dashboard.get('operator', '/payout-terms', { answer: PayoutTermsPage }, async () => {
    const termsOf = await payoutTermsOf(
      db,
      assets.of('live').all.map(({ code }) => code),
    );
    const whyNot = await createAvailability(db, sendings, 'live');
    const items = [];
    for (const asset of assets.of('live').all) {
      items.push({ ...termsView(asset, termsOf(asset.code)), why: await whyNot(asset.code) });
    }
    return { message: 'Payout terms', data: { items, next_cursor: null } };
  });

  dashboard.propose(
    'PUT',
    '/payout-terms/:asset',
    {
      kind: 'payout_terms',
      title: 'Change the fees and limits of payouts',
      concerns: 'every business',
      answer: PayoutTermsData,
    },
    async (tx, { params, body }) => {
      const asset = assets.of('live').find(params.asset ?? '');
      if (!asset) throw refuse(kitErrors.not_found);
      const terms = termsOfBody(asset, body);
      const before = (await payoutTermsOf(tx, [asset.code]))(asset.code);
      await setPayoutTerms(tx, asset.code, terms, now());
      const change = {
        action: 'changed payout terms',
        subject: { kind: 'asset', id: asset.code },
        before: termsView(asset, before),
        after: termsView(asset, terms),
      };
      const why = await (await createAvailability(tx, sendings, 'live'))(asset.code);
      return { message: 'Payout terms changed', data: { ...termsView(asset, terms), why }, change };
    },
  );
}

function termsOfBody({ scale }: Asset, body: unknown): PayoutTerms {
  const { fee, minimum, daily_limit, approve_above } = readTerms(body);
  const unitsOf = (field: string, text: string): bigint => {
    const units = unitsOfDecimal(text, scale);
    if (units === null) throw invalid(field, `must be a decimal number with at most ${scale} decimals`);
    return units;
  };
  const orNone = (field: string, text: string | undefined) =>
    text === undefined ? null : unitsOf(field, text);
  return {
    fee: unitsOf('fee', fee),
    minimum: unitsOf('minimum', minimum),
    dailyLimit: orNone('daily_limit', daily_limit),
    approveAbove: orNone('approve_above', approve_above),
  };
}

function termsView({ code, scale }: Asset, { fee, minimum, dailyLimit, approveAbove }: PayoutTerms) {
  const orNull = (units: bigint | null) => (units === null ? null : decimalOf(units, scale));
  return {
    asset: code,
    fee: decimalOf(fee, scale),
    minimum: decimalOf(minimum, scale),
    daily_limit: orNull(dailyLimit),
    approve_above: orNull(approveAbove),
  };
}

function idOf({ payout = '' }: Record<string, string>): string {
  if (!isUuid(payout)) throw refuse(payoutErrors.payout_not_found);
  return payout;
}

async function findQueued(db: Database, params: Record<string, string>): Promise<QueuedPayout> {
  const id = idOf(params);
  const [found] = await queuedPayouts(db, { kind: 'all', id }, { before: null, limit: 1 });
  if (!found) throw refuse(payoutErrors.payout_not_found);
  return found;
}
