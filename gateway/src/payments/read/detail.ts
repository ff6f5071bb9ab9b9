import { auditEntries } from '../../identity/audit/audit-log.ts';
import type { Owner } from '../../identity/owner.ts';
import { requestsOfPayment } from '../../identity/request-log/request-reads.ts';
import type { Reader } from '../../kit/db/db.ts';
import { movementsOf } from '../../ledger/movements.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { webhooksOfPayment } from '../../webhooks/deliveries/payment-events.ts';
import { claimsOf } from '../payment/claims.ts';
import type { PagesAt } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import { quotesOf } from '../prices/quotes.ts';
import { quoteView } from '../prices/view.ts';
import {
  directOverpaid,
  isOfCurrency,
  missingUnits,
  overpaidUnits,
  receivedUnits,
  transfersOf,
} from '../settlement/received.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { type SweepRow, sweepsOf } from '../settlement/treasury.ts';
import { transactionUrl } from './explorers.ts';
import { paidOf } from './paid.ts';
import { type DescribeDeps, locatedTransfer, movesOf, summaryOf } from './read.ts';
import { timelineOf } from './timeline.ts';

/** The newest acts of people, and calls of the shop, that a payment's page shows. */
const shownActs = 100;

/**
 * Everything that the dashboard shows of a payment, with one timeline of all that happened to it. It has the page's link
 * only for those who may do what the page lets its customer do.
 */
export async function paymentDetail(reader: Reader, deps: DescribeDeps, payment: Payment, pagesAt: PagesAt) {
  const owner: Owner = payment;
  const transfers = await transfersOf(reader, payment.id);
  const moves = await movesOf(reader, payment.id);
  const claims = await claimsOf(reader, payment.id);
  const events = await webhooksOfPayment(reader, owner, payment.reference);
  const movements = await movementsOf(reader, payment.id);
  const subject = { kind: 'payment', id: payment.id };
  const staff = await auditEntries(reader, { subject }, { before: null, limit: shownActs });
  const calls = await requestsOfPayment(reader, owner, payment.reference, shownActs);
  const { PaymentURL: page_url, ...summary } = summaryOf(payment, pagesAt);
  const views = transfers.map((transfer) => transferDetail(deps, payment, transfer));
  const sweeps = await sweepsOf(reader, payment.id);
  return {
    ...summary,
    ...paidOf(payment),
    quote: await quotedOf(reader, payment),
    page_url,
    ...amountsOf(deps.assets, payment, transfers),
    short: payment.shortUnits !== null,
    unusual: payment.unusual,
    method: payment.method,
    linked_at: payment.linkedAt?.toISOString() ?? null,
    completed_at: payment.completedAt?.toISOString() ?? null,
    late_until: payment.lateUntil?.toISOString() ?? null,
    transfers: views,
    claims: claims.map(({ at, ...claim }) => ({ at: at.toISOString(), ...claim })),
    events,
    ledger: movements.map(({ at, units, ...line }) => ({
      at: at.toISOString(),
      ...line,
      amount: decimalOf(units, deps.assets.get(line.asset).scale),
    })),
    timeline: timelineOf({
      ...{ payment, moves, transfers: views, events, claims, staff, calls },
      sweeps: sweeps.map((sweep) => sweepDetail(deps, sweep)),
    }),
  };
}

async function quotedOf(reader: Reader, payment: Payment) {
  const quotes = await quotesOf(reader, [payment]);
  const made = quotes.find(({ quote }) => quote.currency === payment.currency);
  if (!made) return null;
  const { at, sources } = quoteView(made.quote);
  return { at, sources };
}

function amountsOf(assets: Assets, payment: Payment, transfers: TransferRow[]) {
  const received = receivedUnits(assets, payment, transfers);
  return {
    amount_received: decimalOf(received, fineScale),
    amount_missing: decimalOf(missingUnits(assets, payment, transfers), fineScale),
    surplus: decimalOf(overpaidUnits(assets, payment, transfers), fineScale),
    direct: directOf(assets, payment, transfers),
  };
}

function directOf(assets: Assets, payment: Payment, transfers: TransferRow[]) {
  if (!transfers.some(({ is_direct, state }) => is_direct && state !== 'gone')) return null;
  const { units, fee } = directOverpaid(assets, payment, transfers);
  return { surplus: decimalOf(units, fineScale), host_part: decimalOf(fee, fineScale) };
}

function transferDetail(deps: DescribeDeps, payment: Payment, transfer: TransferRow) {
  return {
    ...locatedTransfer(deps, transfer),
    rail: transfer.rail,
    /** False for money of another currency, which does not count and waits for a refund. */
    counts: isOfCurrency(deps.assets, payment, transfer),
    late: transfer.seen_at > payment.deadline,
    own_address: transfer.own_address,
    seen_at: transfer.seen_at.toISOString(),
    final_at: transfer.final_at?.toISOString() ?? null,
    gone_at: transfer.gone_at?.toISOString() ?? null,
  };
}

function sweepDetail({ assets, explorers }: DescribeDeps, sweep: SweepRow) {
  return {
    transaction: sweep.transaction,
    transaction_url: transactionUrl(explorers, sweep.rail, sweep.transaction),
    asset: sweep.asset,
    amount: decimalOf(sweep.units, assets.get(sweep.asset).scale),
    final_at: sweep.final_at.toISOString(),
    gone_at: sweep.gone_at?.toISOString() ?? null,
  };
}
