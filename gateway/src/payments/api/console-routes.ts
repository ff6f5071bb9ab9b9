import type { Call, Console } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import { mayRole } from '../../identity/roles.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { pageOf, timePlaceOf } from '../../kit/http/cursor.ts';
import type { Rail } from '../../rails/rail.ts';
import { pagesForRole } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { paymentDetail } from '../read/detail.ts';
import { createExporter } from '../read/export.ts';
import type { PaymentFilter } from '../read/filter.ts';
import { cursorOf, listedPayments } from '../read/list.ts';
import { paidOf } from '../read/paid.ts';
import { type DescribeDeps, findOwnPayment, summaryOf } from '../read/read.ts';
import { mostTotalled, totalsOf } from '../read/totals.ts';
import { cancelPayment } from '../settlement/act.ts';
import { readWish } from '../simulate/schema.ts';
import { simulate } from '../simulate/simulate.ts';
import { FoundPayments, PaymentDetail, PaymentPage, PaymentTotals } from './console-answers/payments.ts';
import {
  filterOf,
  readExportQuery,
  readFindQuery,
  readPaymentPageQuery,
  readTotalsQuery,
} from './console-schema.ts';

export type PaymentConsoleDeps = StateDeps & DescribeDeps & { db: Database; rail: Rail; payUrl: string };

const defaultLimit = 50;
/** So many payments of each mode a search over both finds. */
const foundOfMode = 5;

/** Payments in the dashboard: found, looked at, exported, cancelled, and in test mode played. */
export function paymentConsoleRoutes(dashboard: Console, deps: PaymentConsoleDeps): void {
  listRoutes(dashboard, deps);
  onePaymentRoutes(dashboard, deps);
}

/** Many payments: listed, found, added up, exported. */
function listRoutes(dashboard: Console, deps: PaymentConsoleDeps): void {
  const { db } = deps;
  const startExport = createExporter(deps.assets);
  // Which payment an address belongs to only its rail knows.
  const filterFor = async (reader: Reader, query: Parameters<typeof filterOf>[0]): Promise<PaymentFilter> => {
    const filter = filterOf(query);
    const paidTo =
      filter.search === undefined ? null : await deps.rail.paymentOfAddress(reader, filter.search);
    return { ...filter, ...(paidTo !== null && { paidTo }) };
  };

  dashboard.getAged('mode', '/payments', { may: 'read', answer: PaymentPage }, async (call) => {
    const { aged, owner, query } = call;
    const { cursor, limit = defaultLimit, ...wanted } = readPaymentPageQuery(query);
    const place = timePlaceOf(cursor);
    const filter = await filterFor(aged, wanted);
    const found = await listedPayments(aged, owner, filter, { place, limit: limit + 1 });
    const { items, next_cursor } = pageOf(found, limit, cursorOf);
    return { message: 'Payments', data: { items: items.map(lineOf), next_cursor } };
  });

  dashboard.get('integration', '/find', { may: 'read', answer: FoundPayments }, async (call) => {
    const filter = await filterFor(db, readFindQuery(call.query));
    const modes = (['live', 'test'] as const).map(async (mode) => {
      const owner = { integrationId: call.integration.id, mode };
      const payments = await listedPayments(db, owner, filter, { place: null, limit: foundOfMode });
      return payments.map((payment) => ({ mode, ...foundOf(payment) }));
    });
    return { message: 'Payments', data: { items: (await Promise.all(modes)).flat() } };
  });

  dashboard.getAged(
    'mode',
    '/totals/payments',
    { may: 'read', answer: PaymentTotals },
    async ({ aged, owner, query }) => {
      const totals = await totalsOf(aged, owner, await filterFor(aged, readTotalsQuery(query)));
      return { message: 'Totals', data: { ...totals, counted_up_to: mostTotalled } };
    },
  );

  // Not below /payments: `export` may be a payment's reference.
  dashboard.downloadAged('mode', '/export/payments', { may: 'export' }, async (call) => {
    const { aged, owner, query, reply } = call;
    const { format, ...wanted } = readExportQuery(query);
    const filter = await filterFor(aged, wanted);
    const { stream, count, isEstimate } = await startExport(aged, owner, filter, format);
    return reply
      .header('content-disposition', `attachment; filename="payments-${owner.mode}.${format}"`)
      .header('x-total-count', count.toString())
      .header('x-total-count-estimated', String(isEstimate))
      .type(format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8')
      .send(stream);
  });
}

/** One payment: shown, cancelled, and played in test mode. */
function onePaymentRoutes(dashboard: Console, deps: PaymentConsoleDeps): void {
  const { db } = deps;
  const shown = (reader: Reader, call: Pick<Call<'mode'>, 'role' | 'integration'>, payment: Payment) =>
    paymentDetail(
      reader,
      deps,
      payment,
      // Its customer may cancel there.
      mayRole(call.role, 'cancel payments') ? pagesForRole(deps.payUrl, call) : null,
    );

  dashboard.get('mode', '/payments/:reference', { may: 'read', answer: PaymentDetail }, async (call) => {
    const payment = await findOwnPayment(db, call.owner, call.params.reference ?? '');
    return { message: 'Payment', data: await shown(db, call, payment) };
  });

  /** Changes the call's payment and answers with it as it then is. */
  async function change(
    tx: Tx,
    call: Call<'mode'>,
    { message, action }: { message: string; action: string },
    work: (payment: Payment) => Promise<unknown>,
  ) {
    const reference = call.params.reference ?? '';
    const before = await findOwnPayment(tx, call.owner, reference);
    await work(before);
    const payment = await findOwnPayment(tx, call.owner, reference);
    return {
      message,
      data: await shown(tx, call, payment),
      change: {
        action,
        subject: { kind: 'payment', id: payment.id },
        before: statusView(before),
        after: statusView(payment),
      },
    };
  }

  dashboard.write(
    'POST',
    'mode',
    '/payments/:reference/cancel',
    { may: 'cancel payments', answer: PaymentDetail },
    (tx, call) =>
      change(tx, call, { message: 'Payment cancelled', action: 'cancelled a payment' }, ({ id }) =>
        cancelPayment(tx, deps, id, 'merchant'),
      ),
  );

  dashboard.write(
    'POST',
    'mode',
    '/payments/:reference/simulate',
    { may: 'use test mode', answer: PaymentDetail },
    (tx, call) => {
      if (call.owner.mode !== 'test') throw refuse(identityErrors.test_mode_only);
      const wish = readWish(call.body);
      const action = `simulated ${wish.outcomes.join(', ')}`;
      return change(tx, call, { message: 'Payment simulated', action }, ({ id }) =>
        simulate(tx, deps, id, wish),
      );
    },
  );
}

/** A payment in the list: what the page's link opens is not for everybody who reads. */
function lineOf(payment: Payment) {
  const { PaymentURL: _, ...line } = summaryOf(payment, null);
  return { ...line, ...paidOf(payment), unusual: payment.unusual };
}

function foundOf(payment: Payment) {
  const { payment_reference, amount, currency, payment_status, customer_email, created_at } = lineOf(payment);
  const { paid_currency, paid_amount } = paidOf(payment);
  return {
    ...{ payment_reference, amount, currency, paid_currency, paid_amount },
    ...{ payment_status, customer_email, created_at },
  };
}

function statusView({ reference, status, reason }: Payment) {
  return { reference, status, reason };
}
