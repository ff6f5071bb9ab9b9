import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { isRefusal } from '../../api/api-error.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { amountText } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { Id } from '../../ui/display/code.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { JsonView } from '../../ui/display/json-view.tsx';
import { Money } from '../../ui/display/money.tsx';
import { StatusBadge } from '../../ui/display/status-badge.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DirectOfPayment } from '../own-wallet/direct-payments.tsx';
import { Events } from './events.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { Items, Ledger, Transfers } from './payment-tables.tsx';
import { type PaymentDetail, usePayment } from './queries.ts';
import { Recomputed } from './recomputed.tsx';
import { RefundsCard } from './refunds/refunds-card.tsx';
import { Simulator } from './simulator/simulator.tsx';
import { Timeline } from './timeline.tsx';
import { UnusualBadges } from './unusual-badges.tsx';
import { statusSentence } from './words.ts';

/** All of one payment. `wide` lays it out in two columns where there is room. */
export function PaymentView({ reference, wide = false }: { reference: string; wide?: boolean }): ReactNode {
  const { data, error, isPending, refetch } = usePayment(reference);
  const { mode } = useScope();
  const maySimulate = useMay('use test mode') && mode === 'test';
  if (isPending) return <SkeletonRows rows={8} />;
  if (error && !data) {
    if (!isRefusal(error, 'not_found')) return <ErrorState error={error} onRetry={() => refetch()} />;
    return (
      <Banner tone="waiting" title={t('There is no such payment here')}>
        {t('It may belong to the other mode, or to another integration.')}
      </Banner>
    );
  }
  return (
    <div className={clsx('grid min-w-0 gap-6', wide && '2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]')}>
      <div className="grid min-w-0 content-start gap-6">
        <Head payment={data} />
        <RefundsCard reference={data.payment_reference} customerEmail={data.customer_email} />
        {maySimulate && <Simulator payment={data} />}
        <Events events={data.events} reference={data.payment_reference} />
        <Transfers transfers={data.transfers} />
        {data.direct !== null && <DirectOfPayment reference={data.payment_reference} />}
        <Recomputed payment={data} />
        <Items payment={data} />
        {data.meta_data !== null && <JsonView text={data.meta_data} label="meta_data" />}
        <Ledger lines={data.ledger} />
      </div>
      <div className="grid min-w-0 content-start gap-6">
        <Timeline
          entries={data.timeline}
          direct={data.transfers.flatMap(({ asset, own_address }) => (own_address === null ? [] : [asset]))}
        />
      </div>
    </div>
  );
}

/** What pays a price, and the rate at which it does. */
function Quote({ payment }: { payment: PaymentDetail }): ReactNode {
  const { paid_amount: amount, paid_currency: coin, rate, currency } = payment;
  if (amount === null || coin === null || rate === null) return null;
  return (
    <>
      <Money amount={amount} currency={coin} />{' '}
      <span className="text-quiet">{t('1 {coin} = {rate} {currency}', { coin, rate, currency })}</span>
    </>
  );
}

/** When the rate was quoted, and by which sources. */
function Sources({ quote: { at, sources } }: { quote: NonNullable<PaymentDetail['quote']> }): ReactNode {
  return (
    <span className="grid gap-0.5">
      <Time at={at} exact />
      {sources.map(({ name, rate }) => (
        <span key={name} className="text-quiet tabular-nums wrap-anywhere">
          {t('{source}: {rate}', { source: name, rate })}
        </span>
      ))}
    </span>
  );
}

/** What of an overpayment is with the merchant, who alone can return it. */
function directSurplus({ direct, paid_currency: currency }: PaymentDetail): ReactNode {
  if (direct === null || currency === null || !isSome(direct.surplus)) return null;
  return (
    <span className="grid gap-0.5">
      <Money amount={direct.surplus} currency={currency} />
      <span className="text-quiet">
        {t('Return it to the customer from there. The gateway has nothing of it.')}
        {isSome(direct.host_part) &&
          ` ${t('The operator’s part of it is {part} {currency}.', { part: amountText(direct.host_part), currency })}`}
      </span>
    </span>
  );
}

function Head({ payment }: { payment: PaymentDetail }): ReactNode {
  const {
    currency,
    paid_currency: paid,
    amount_due: due,
    amount_missing,
    amount_received,
    surplus,
  } = payment;
  const some = (amount: string | null): ReactNode =>
    amount === null || amount === '0' || paid === null ? null : <Money amount={amount} currency={paid} />;
  return (
    <Card>
      <div className="grid gap-2">
        <p className="text-xl font-semibold tabular-nums">
          <Money amount={payment.amount} currency={currency} />
        </p>
        <p className="flex flex-wrap gap-1.5">
          <StatusBadge status={payment.payment_status} />
          <UnusualBadges unusual={payment.unusual} />
        </p>
        <p className="text-pretty text-quiet">{statusSentence(payment)}</p>
      </div>
      <PaymentActions payment={payment} />
      <DefinitionList
        facts={[
          [t('Reference'), <Id key="r" text={payment.payment_reference} what={t('reference')} length={40} />],
          [t('Quote'), payment.rate !== null && <Quote key="q" payment={payment} />],
          [t('Rate of the quote'), payment.quote && <Sources key="s" quote={payment.quote} />],
          [t('Due'), due === payment.paid_amount ? null : some(due)],
          [t('Received'), some(amount_received)],
          [t('Missing'), amount_received === '0' ? null : some(amount_missing)],
          [t('Overpayment'), some(surplus)],
          [t('Of it at your own address'), directSurplus(payment)],
          [
            t('Service fee'),
            <span key="f">
              <Money amount={payment.service_fee} currency={currency} />
              <span className="text-quiet">
                {payment.fee_payer === 'customer' ? t(', paid by the customer') : t(', paid by the merchant')}
              </span>
            </span>,
          ],
          [t('Customer'), payment.customer_email],
          [t('Customer reference'), payment.customer_reference],
          [t('Note'), payment.payment_note],
          [t('Created'), <Time key="c" at={payment.created_at} exact />],
          [t('Deadline'), <Time key="d" at={payment.deadline} exact />],
          [t('Completed'), payment.completed_at && <Time at={payment.completed_at} exact />],
          [t('Late payment possible until'), payment.late_until && <Time at={payment.late_until} exact />],
          [t('Returns to'), payment.success_url],
          [t('ID'), <Id key="i" text={payment.id} what={t('id')} length={40} />],
        ]}
      />
    </Card>
  );
}
