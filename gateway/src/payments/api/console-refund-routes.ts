import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import { ownTimeOf } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { fieldReader, invalid } from '../../kit/http/fields.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { amountsFault } from '../../payouts/api/schema.ts';
import type { Requester } from '../../payouts/lifecycle/order.ts';
import { dollarsOf } from '../payment/amount.ts';
import { pagesForRole } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import { rateToday } from '../prices/today.ts';
import { rateText } from '../prices/view.ts';
import { findOwnPayment } from '../read/read.ts';
import { cancelRefund } from '../refunds/cancel.ts';
import { mailClaimLink } from '../refunds/mails.ts';
import { orderRefund } from '../refunds/order.ts';
import { heldOf, refundableOf, totalOf, walletParts } from '../refunds/refundable.ts';
import { refundReader } from '../refunds/schema.ts';
import { type RefundSettings, refundSettingsOf, setRefundSettings } from '../refunds/settings.ts';
import { consoleRefundView, type RefundViewDeps } from '../refunds/view.ts';
import { lockPayment } from '../settlement/locks.ts';
import { transfersOf } from '../settlement/received.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { ConsoleRefund, RefundOptions, RefundSettingsData } from './console-answers/refunds.ts';
import type { RefundRouteDeps } from './refund-routes.ts';

const centScale = 2;
const maxCents = 100_000_000n;

const SettingsBody = Type.Object({
  fee_on_refund: Type.Enum(['kept', 'returned']),
  claim_limit_usd: Type.String({ maxLength: 20 }),
  claim_limits: Type.Record(Type.String(), Type.String()),
});

const settingsReader = (assets: Assets) =>
  fieldReader(SettingsBody, {
    claim_limit_usd: (value) => {
      const cents = typeof value === 'string' ? unitsOfDecimal(value, centScale) : null;
      return cents !== null && cents <= maxCents
        ? null
        : invalid('claim_limit_usd', 'must be 0 to 1000000 dollars with at most two decimals');
    },
    claim_limits: (value) => amountsFault(assets, 'claim_limits', value),
  });

/** Refunds of a payment, and what an owner decides about refunds. */
export function refundConsoleRoutes(dashboard: Console, deps: RefundRouteDeps): void {
  makingRoutes(dashboard, deps);
  madeRoutes(dashboard, deps);
  settingsRoutes(dashboard, deps);
}

const ownOf = (reader: Reader, { owner, params }: Call<'mode'>) =>
  findOwnPayment(reader, owner, params.reference ?? '');

const viewFor = ({ assets, payUrl }: RefundRouteDeps, call: Pick<Call<'mode'>, 'role' | 'integration'>) => ({
  assets,
  pagesAt: pagesForRole(payUrl, call),
});

/** What of a payment can be refunded, and a refund that is made. */
function makingRoutes(dashboard: Console, deps: RefundRouteDeps): void {
  const { db, now } = deps;
  const read = refundReader(deps.assets, deps.faultOf);

  dashboard.get(
    'mode',
    '/payments/:reference/refunds',
    { may: 'read', answer: RefundOptions },
    async (call) => {
      const payment = await ownOf(db, call);
      return { message: 'Refunds', data: await optionsOf(db, viewFor(deps, call), payment, now()) };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/payments/:reference/refunds',
    { may: 'make payouts', fresh: true, answer: ConsoleRefund },
    async (tx, call) => {
      // A form is easily sent twice, and money is not taken back.
      if (call.request.headers['idempotency-key'] === undefined)
        throw invalid('Idempotency-Key', 'is required');
      const payment = await lockPayment(tx, (await ownOf(tx, call)).id);
      const wanted = await read(tx, payment, call.body);
      const { integration, session } = call;
      const requester: Requester = {
        accountId: session.account.id,
        name: session.account.email,
        limits: null,
      };
      const ownTime = ownTimeOf({ integration, mode: call.owner.mode }, now());
      const refund = await orderRefund(tx, deps, payment.id, { wanted, requester, ownTime });
      const data = consoleRefundView(viewFor(deps, call), payment, refund);
      const { amount, asset, to, reason } = data;
      const change = {
        action: 'made a refund',
        subject: { kind: 'payment', id: payment.id },
        after: { amount, asset, to, reason },
      };
      return { message: 'Refund created', data, change };
    },
  );
}

/** A refund that was made is cancelled, or its link is mailed once more. */
function madeRoutes(dashboard: Console, deps: RefundRouteDeps): void {
  dashboard.write(
    'POST',
    'mode',
    '/payments/:reference/refunds/:refund/cancel',
    { may: 'make payouts', answer: ConsoleRefund },
    async (tx, call) => {
      const payment = await ownOf(tx, call);
      const refund = await cancelRefund(tx, deps, payment.id, call.params.refund ?? '');
      const data = consoleRefundView(viewFor(deps, call), payment, refund);
      const change = {
        action: 'cancelled a refund',
        subject: { kind: 'payment', id: payment.id },
        after: { amount: data.amount, asset: data.asset },
      };
      return { message: 'Refund cancelled', data, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/payments/:reference/refunds/:refund/mail-link',
    { may: 'make payouts', answer: ConsoleRefund },
    async (tx, call) => {
      const payment = await lockPayment(tx, (await ownOf(tx, call)).id);
      // Anybody who signs up can make test payments for any address.
      const to = payment.mode === 'test' ? call.session.account.email : payment.customerEmail;
      if (to === null) throw invalid('customer_email', 'the payment has none');
      const refundId = call.params.refund ?? '';
      const refund = await mailClaimLink(tx, deps, payment, { refundId, to, now: deps.now() });
      const data = consoleRefundView(viewFor(deps, call), payment, refund);
      const change = {
        action: 'mailed the link of a refund',
        subject: { kind: 'payment', id: payment.id },
        after: { amount: data.amount, asset: data.asset, email: to },
      };
      return { message: `Link mailed to ${to}`, data, change };
    },
  );
}

function settingsRoutes(dashboard: Console, { db, assets, now }: RefundRouteDeps): void {
  const readSettings = settingsReader(assets);
  const dataOf = (settings: RefundSettings) => ({
    ...settingsView(settings),
    assets: assets.all.map(({ code }) => code),
  });

  dashboard.get(
    'integration',
    '/refund-settings',
    { may: 'read', answer: RefundSettingsData },
    async (call) => ({
      message: 'Refund settings',
      data: dataOf(await refundSettingsOf(db, call.integration.id)),
    }),
  );

  dashboard.write(
    'PUT',
    'integration',
    '/refund-settings',
    { may: 'manage payouts', fresh: true, answer: RefundSettingsData },
    async (tx, { integration, body }) => {
      const { fee_on_refund: feeOnRefund, claim_limit_usd, claim_limits: claimLimits } = readSettings(body);
      const claimLimitCents = Number.parseInt(`${unitsOfDecimal(claim_limit_usd, centScale)}`, 10);
      const before = await refundSettingsOf(tx, integration.id);
      const settings = { feeOnRefund, claimLimitCents, claimLimits };
      await setRefundSettings(tx, integration.id, settings, now());
      const change = {
        action: 'changed refund settings',
        subject: { kind: 'integration', id: integration.id },
        before: settingsView(before),
        after: settingsView(settings),
      };
      return { message: 'Refund settings changed', data: dataOf(settings), change };
    },
  );
}

const settingsView = ({ feeOnRefund, claimLimitCents, claimLimits }: RefundSettings) => ({
  fee_on_refund: feeOnRefund,
  claim_limit_usd: dollarsOf(claimLimitCents),
  claim_limits: claimLimits,
});

async function optionsOf(reader: Reader, deps: RefundViewDeps, payment: Payment, now: Date) {
  const { assets } = deps;
  const { integrationId: owner, mode } = payment;
  const balances = await balancesOf(reader, { kind: 'business', owner, mode });
  const made = await refundsOf(reader, payment.id);
  const rows = { transfers: await transfersOf(reader, payment.id), refunds: made };
  const items = [];
  for (const each of await refundableOf(reader, assets, payment)) {
    const { scale, network } = assets.get(each.asset);
    const [total, held] = [totalOf(each), heldOf(each)];
    const inWallets = [...(await walletParts(reader, rows, each.asset)).values()].reduce((a, b) => a + b, 0n);
    items.push({
      asset: each.asset,
      network,
      scale,
      amount: decimalOf(total, scale),
      overpayment: decimalOf(each.overpayment, scale),
      wrong_token: decimalOf(each.suspense, scale),
      direct: decimalOf(heldOf(each.direct), scale),
      direct_overpayment: decimalOf(each.direct.overpayment, scale),
      to_wallets: decimalOf(inWallets < held ? inWallets : held, scale),
      available: decimalOf(balances.find(({ asset }) => asset === each.asset)?.available ?? 0n, scale),
    });
  }
  const { feeOnRefund } = await refundSettingsOf(reader, payment.integrationId);
  const refunds = made.map((refund) => consoleRefundView(deps, payment, refund));
  return { price: await priceView(reader, payment, now), items, fee_on_refund: feeOnRefund, refunds };
}

async function priceView(reader: Reader, payment: Payment, now: Date) {
  const { price, rate, currency } = payment;
  if (price === null || rate === null || currency === null) return null;
  return {
    currency: price.currency,
    minor_digits: minorDigits(price.currency),
    paid_currency: currency,
    rate: rateText(rate),
    rate_today: await rateToday(reader, payment, now),
  };
}
