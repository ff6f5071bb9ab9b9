import type { FastifyInstance } from 'fastify';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import { findInvoice, type InvoicedPayment, listInvoices } from '../../payments/payment/invoice.ts';
import { paymentUrl } from '../../payments/payment/page-link.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { orderRefundWithKey } from '../../payments/refunds/order.ts';
import { lockPayment } from '../../payments/settlement/locks.ts';
import type { Refund } from '../../payments/settlement/refund.ts';
import { refundsOfAll } from '../../payments/settlement/refund-rows.ts';
import { call } from '../protocol/door.ts';
import { problem, unprocessable } from '../protocol/problems.ts';
import { readRefund, refundName } from './refund.ts';
import { seconds } from './view.ts';

export type RefundRouteDeps = StateDeps & { db: Database; assets: Assets; payUrl: string };

const refunds = 'btcpay.store.cancreatenonapprovedpullpayments';
const pulls = '/stores/:storeId/pull-payments';

type Params = { storeId: string; invoiceId: string };

/** Refunds of invoices, which that API calls pull payments: ordered as any other refund, with its limits and approvals. */
export function refundRoutes(door: FastifyInstance, deps: RefundRouteDeps): void {
  door.post<{ Params: Params }>(
    '/stores/:storeId/invoices/:invoiceId/refund',
    call(refunds),
    async (request, reply) => {
      const { invoiceId } = request.params;
      const answer = await keyedWrite(deps, request, `refund invoice ${invoiceId}`, async (tx, key) =>
        JSON.stringify(await refundInvoice(tx, deps, key, { invoiceId, body: request.body })),
      );
      return reply.type('application/json; charset=utf-8').send(answer.body);
    },
  );

  door.post(pulls, call(refunds), () => {
    throw unprocessable('', 'Use invoices/{id}/refund');
  });

  door.get<{ Querystring: { includeArchived?: string } }>(pulls, call(refunds), async (request) => {
    const withArchived = request.query.includeArchived?.toLowerCase() === 'true';
    const all = await pullsOf(deps, apiKeyOf(request));
    return all.filter(({ archived }) => withArchived || !archived);
  });

  for (const url of [`${pulls}/:pullPaymentId`, '/pull-payments/:pullPaymentId'])
    door.get<{ Params: { pullPaymentId: string } }>(url, call(refunds), async (request) => {
      const all = await pullsOf(deps, apiKeyOf(request));
      const one = all.find(({ id }) => id === request.params.pullPaymentId);
      if (!one) throw problem(404, 'pullpayment-not-found', 'The pull payment was not found');
      return one;
    });
}

type Ask = { invoiceId: string; body: unknown };

async function refundInvoice(tx: Tx, deps: RefundRouteDeps, key: ApiKey, { invoiceId, body }: Ask) {
  const found = await findInvoice(tx, ownerOf(key), invoiceId);
  if (!found) throw problem(404, 'invoice-not-found', 'The invoice was not found');
  const payment = await lockPayment(tx, found.payment.id);
  const own = { ...found, payment };
  const { wanted, name } = await readRefund(tx, deps, own, body).catch(refuseNothing);
  const refund = await orderRefundWithKey(tx, deps, payment.id, { wanted, key }).catch(refuseNothing);
  return pullView(pagesOf(deps, key), own, refund, name);
}

function refuseNothing(error: unknown): never {
  if (error instanceof Refusal && error.row === paymentErrors.nothing_to_refund)
    throw problem(400, 'non-refundable', error.message);
  throw error;
}

/** So many refunded invoices are looked at. */
const mostInvoices = 1_000;

/** The refunds of a store's invoices, the newest invoice first. */
async function pullsOf(deps: RefundRouteDeps, key: ApiKey) {
  const found = await listInvoices(deps.db, ownerOf(key), {
    ...{ orderIds: null, statuses: null, term: null, from: null, to: null },
    ...{ withArchived: true, refunded: true, skip: 0, take: mostInvoices },
  });
  const all = await refundsOfAll(
    deps.db,
    found.map(({ payment }) => payment.id),
  );
  const byPayment = Map.groupBy(all, ({ paymentId }) => paymentId);
  return found.flatMap((each) =>
    (byPayment.get(each.payment.id) ?? []).map((refund) =>
      pullView(pagesOf(deps, key), each, refund, refundName(each.invoice.id)),
    ),
  );
}

type Pages = Pick<RefundRouteDeps, 'assets' | 'payUrl'>;

const pagesOf = ({ assets, payUrl }: RefundRouteDeps, { integration }: ApiKey): Pages => ({
  assets,
  payUrl: payUrlOf(payUrl, integration),
});

/** A refund as that API shows it; its link is the page on which the customer claims it. */
function pullView({ assets, payUrl }: Pages, { payment }: InvoicedPayment, refund: Refund, name: string) {
  const { currency, scale } = assets.get(refund.asset);
  return {
    ...{ id: refund.id, name, description: refund.reason ?? '', currency },
    amount: decimalOf(refund.units, scale),
    period: null,
    startsAt: seconds(refund.createdAt),
    expiresAt: null,
    BOLT11Expiration: '0',
    autoApproveClaims: false,
    archived: refund.status === 'cancelled',
    viewLink: paymentUrl(payUrl, payment.reference, payment.integrationId, payment.token),
  };
}
