import type { Console } from '../../identity/console/console.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { pagesForRole } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import { waitingPayments } from '../refunds/own-transfers.ts';
import { callOf, refundFile } from '../refunds/prepared-transfer.ts';
import { consoleRefundView } from '../refunds/view.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOfAll } from '../settlement/refund-rows.ts';
import { WaitingTransfers } from './console-answers/refunds.ts';
import type { RefundRouteDeps } from './refund-routes.ts';

/** What a business is to send from its own addresses, so that refunds of direct payments are answered. */
export function transferRoutes(dashboard: Console, deps: RefundRouteDeps): void {
  const { db, assets, payUrl, now } = deps;

  dashboard.get('mode', '/waiting-transfers', { may: 'read', answer: WaitingTransfers }, async (call) => {
    const payments = await waitingPayments(db, call.owner);
    const byId = new Map(payments.map((payment) => [payment.id as string, payment]));
    const waiting = (await refundsOfAll(db, [...byId.keys()])).flatMap((refund): Waiting[] => {
      const payment = byId.get(refund.paymentId);
      return payment && callOf(refund) ? [{ payment, refund }] : [];
    });
    const pagesAt = pagesForRole(payUrl, call);
    const items = waiting.map(({ payment, refund }) =>
      consoleRefundView({ assets, pagesAt }, payment, refund),
    );
    return { message: 'Waiting transfers', data: { items, files: filesOf(assets, waiting, now()) } };
  });
}

type Waiting = { payment: Payment; refund: Refund };

/** A Safe has one address on one chain: its owners sign all refunds out of it at once. */
function filesOf(assets: Assets, waiting: readonly Waiting[], at: Date): WaitingTransfers['files'] {
  const bySafe = Map.groupBy(waiting, ({ refund: { transfer } }) => `${transfer?.chainId} ${transfer?.from}`);
  return [...bySafe.values()].flatMap((own) => {
    const calls = own.flatMap(({ refund }) => callOf(refund) ?? []);
    const [first] = calls;
    const asset = own[0]?.refund.asset;
    if (!first || asset === undefined) return [];
    const names = own.map(({ payment, refund }) => {
      const { code, scale } = assets.get(refund.asset);
      return `${payment.reference}: ${decimalOf(refund.units, scale)} ${code}`;
    });
    const file = refundFile({ chainId: first.chainId, names, at }, calls);
    return [{ network: assets.get(asset).network, from: first.from, refunds: calls.length, file }];
  });
}
