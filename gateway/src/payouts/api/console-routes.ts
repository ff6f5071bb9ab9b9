import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { dryRun } from '../../kit/db/dry-run.ts';
import { refuse } from '../../kit/errors.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { decimalOf } from '../../money/money.ts';
import { approvePayout, rejectPayout } from '../lifecycle/approve.ts';
import { askForPayouts } from '../lifecycle/ask.ts';
import { cancelPayout } from '../lifecycle/cancel.ts';
import type { Requester, Wanted } from '../lifecycle/order.ts';
import { payoutErrors } from '../payout/errors.ts';
import { movesOf } from '../payout/history.ts';
import { type Payout, type PayoutId, payoutStatuses } from '../payout/payout.ts';
import { findPayout, listPayouts } from '../payout/read.ts';
import { createAvailability } from '../rules/availability.ts';
import { payoutSettingsOf } from '../rules/settings.ts';
import { payoutTermsOf } from '../rules/terms.ts';
import {
  ConsolePayout,
  ConsolePayoutPage,
  PayoutAssets,
  PayoutDetail,
  PayoutPreview,
} from './console-answers.ts';
import { consoleViewOf, consoleViewsOf, type ViewDeps } from './console-views.ts';
import type { PayoutRouteDeps } from './routes.ts';
import { payoutReader } from './schema.ts';

export type PayoutConsoleDeps = PayoutRouteDeps & ViewDeps;

const ListQuery = Type.Object({
  status: Type.Optional(Type.Enum([...payoutStatuses])),
  asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
  ...pageFields,
});
const readListQuery = queryReader(ListQuery);
const ReasonBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 500, format: 'text' }),
});
export const readReason = fieldReader(ReasonBody);

/** Payouts of one mode of an integration: what left, what waits, and ordering, approving and cancelling them. */
export function payoutConsoleRoutes(dashboard: Console, deps: PayoutConsoleDeps): void {
  const { db, assets } = deps;

  dashboard.get('mode', '/payouts', { may: 'read', answer: ConsolePayoutPage }, async (call) => {
    const { status, asset, ...place } = readListQuery(call.query);
    const filter = { status, asset, isAnyPurpose: true };
    const page = await pageById(place, (rows) => listPayouts(db, call.owner, { ...filter, ...rows }));
    const items = await consoleViewsOf(db, deps, call.session.account.id, page.items);
    return { message: 'Payouts', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.get('mode', '/payouts/:payout', { may: 'read', answer: PayoutDetail }, async (call) => {
    const payout = await findPayout(db, call.owner, idOf(call));
    const data = { ...(await viewOf(db, deps, call, payout)), moves: await movesOf(db, payout.id) };
    return { message: 'Payout', data };
  });

  dashboard.get('mode', '/payout-assets', { may: 'read', answer: PayoutAssets }, async (call) => {
    const available = await availableOf(db, call);
    const own = assets.of(call.owner.mode).all;
    const termsOf = await payoutTermsOf(
      db,
      own.map(({ code }) => code),
    );
    const whyNot = await createAvailability(db, deps.sendings, call.owner.mode);
    const items = [];
    for (const { code, currency, network, scale } of own) {
      const { fee, minimum } = termsOf(code);
      const units = available(code);
      items.push({
        ...{ asset: code, currency, network, why: await whyNot(code) },
        available: decimalOf(units, scale),
        fee: decimalOf(fee, scale),
        minimum: decimalOf(minimum, scale),
        most: decimalOf(units > fee ? units - fee : 0n, scale),
      });
    }
    const { enabled, knownAddressesOnly } = await payoutSettingsOf(db, call.owner);
    return { message: 'Assets', data: { enabled, known_addresses_only: knownAddressesOnly, items } };
  });

  orderRoutes(dashboard, deps);
  orderedRoutes(dashboard, deps);
}

const terms = { may: 'make payouts' } as const;

function orderRoutes(dashboard: Console, deps: PayoutConsoleDeps): void {
  const { db, assets } = deps;
  const readers = {
    test: payoutReader(assets.of('test'), deps.faultOf('test')),
    live: payoutReader(assets.of('live'), deps.faultOf('live')),
  };
  const order = async (tx: Tx, { integration, owner, session }: Call<'mode'>, wanted: Wanted) => {
    const { id, email } = session.account;
    const requester: Requester = { accountId: id, name: email, limits: null };
    const [payout] = await askForPayouts(tx, deps, { integration, mode: owner.mode, requester }, [wanted]);
    if (!payout) throw new Error('No payout was ordered');
    return payout;
  };

  dashboard.act('POST', 'mode', '/payouts/preview', { ...terms, answer: PayoutPreview }, async (call) => {
    const wanted = readers[call.owner.mode](call.body);
    const data = await dryRun(db, async (tx) => {
      const { asset, units, fee, approvalsNeeded, operatorApprovalsNeeded } = await order(tx, call, wanted);
      const { scale } = assets.get(asset);
      return {
        asset,
        amount: decimalOf(units, scale),
        fee: decimalOf(fee, scale),
        leaves: decimalOf(units + fee, scale),
        balance_after: decimalOf((await availableOf(tx, call))(asset), scale),
        approvals_needed: approvalsNeeded + operatorApprovalsNeeded,
      };
    });
    return { message: 'Payout judged', data };
  });

  dashboard.write(
    'POST',
    'mode',
    '/payouts',
    { ...terms, fresh: true, answer: ConsolePayout },
    async (tx, call) => {
      // A form is easily sent twice, and money is not taken back.
      if (call.request.headers['idempotency-key'] === undefined)
        throw invalid('Idempotency-Key', 'is required');
      const payout = await order(tx, call, readers[call.owner.mode](call.body));
      const change = { action: 'ordered a payout', ...changeOf(deps, payout) };
      return { message: 'Payout created', data: await viewOf(tx, deps, call, payout), change };
    },
  );
}

/** What is decided about payouts that were ordered. */
function orderedRoutes(dashboard: Console, deps: PayoutConsoleDeps): void {
  dashboard.write(
    'POST',
    'mode',
    '/payouts/:payout/cancel',
    { ...terms, answer: ConsolePayout },
    async (tx, call) => {
      const payout = await cancelPayout(tx, deps, await ownId(tx, call));
      const change = { action: 'cancelled a payout', ...changeOf(deps, payout) };
      return { message: 'Payout cancelled', data: await viewOf(tx, deps, call, payout), change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/payouts/:payout/approve',
    { ...terms, fresh: true, answer: ConsolePayout },
    async (tx, call) => {
      const { id: accountId, email: name } = call.session.account;
      const approver = { accountId, name, side: 'merchant' } as const;
      const payout = await approvePayout(tx, deps, await ownId(tx, call), approver);
      const change = { action: 'approved a payout', ...changeOf(deps, payout) };
      return { message: 'Payout approved', data: await viewOf(tx, deps, call, payout), change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/payouts/:payout/reject',
    { ...terms, fresh: true, answer: ConsolePayout },
    async (tx, call) => {
      const { reason } = readReason(call.body);
      const payout = await rejectPayout(tx, deps, await ownId(tx, call), reason);
      const change = { action: 'rejected a payout', ...changeOf(deps, payout, reason) };
      return { message: 'Payout rejected', data: await viewOf(tx, deps, call, payout), change };
    },
  );
}

function viewOf(reader: Reader, deps: PayoutConsoleDeps, { session }: Call<'mode'>, payout: Payout) {
  return consoleViewOf(reader, deps, session.account.id, payout);
}

async function availableOf(reader: Reader, { integration, owner: { mode } }: Call<'mode'>) {
  const balances = await balancesOf(reader, { kind: 'business', owner: integration.id, mode });
  return (code: string) => balances.find(({ asset }) => asset === code)?.available ?? 0n;
}

function idOf({ params: { payout = '' } }: Pick<Call<'mode'>, 'params'>): string {
  if (!isUuid(payout)) throw refuse(payoutErrors.payout_not_found);
  return payout;
}

/** The id of the payout in the address, if it is the caller's. */
async function ownId(tx: Tx, call: Call<'mode'>): Promise<PayoutId> {
  return (await findPayout(tx, call.owner, idOf(call))).id;
}

/** What the audit log keeps of a payout. */
export function changeOf({ assets }: Pick<PayoutConsoleDeps, 'assets'>, payout: Payout, reason?: string) {
  const { id, integrationId, mode, purpose, status, asset, units, fee, to, memo } = payout;
  const { scale } = assets.get(asset);
  return {
    subject: { kind: 'payout', id },
    integrationId,
    after: {
      ...{
        mode,
        purpose,
        status,
        asset,
        amount: decimalOf(units, scale),
        fee: decimalOf(fee, scale),
        to,
        memo,
      },
      ...(reason === undefined ? {} : { reason }),
    },
  };
}
