import type { Console } from '../../identity/console/console.ts';
import { pagesForRole } from '../payment/page-link.ts';
import { waitingPayments } from '../refunds/own-transfers.ts';
import { callOf, safeFiles, type WaitingRefund } from '../refunds/prepared-transfer.ts';
import { consoleRefundView } from '../refunds/view.ts';
import { refundsOfAll } from '../settlement/refund-rows.ts';
import { WaitingTransfers } from './console-answers/refunds.ts';
import type { RefundRouteDeps } from './refund-routes.ts';

/** What a business is to send from its own addresses, so that refunds of direct payments are answered. */
export function transferRoutes(dashboard: Console, deps: RefundRouteDeps): void {
  const { db, assets, payUrl, now } = deps;

  dashboard.get('mode', '/waiting-transfers', { may: 'read', answer: WaitingTransfers }, async (call) => {
    const payments = await waitingPayments(db, call.owner);
    const byId = new Map(payments.map((payment) => [payment.id as string, payment]));
    const waiting = (await refundsOfAll(db, [...byId.keys()])).flatMap((refund): WaitingRefund[] => {
      const payment = byId.get(refund.paymentId);
      return payment && callOf(refund) ? [{ payment, refund }] : [];
    });
    const pagesAt = pagesForRole(payUrl, call);
    const items = waiting.map(({ payment, refund }) =>
      consoleRefundView({ assets, pagesAt }, payment, refund),
    );
    return { message: 'Waiting transfers', data: { items, files: safeFiles(assets, waiting, now()) } };
  });
}
