import type { ReactNode } from 'react';
import { isSome } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { StatusBadge } from '../../ui/display/status-badge.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { Conversation } from './conversation.tsx';
import { Decisions } from './decisions.tsx';
import { EvidenceTable } from './evidence.tsx';
import { type Appeal, useAppeal } from './queries.ts';
import type { Side } from './side.ts';
import { decisionWords, reasonWords, storyOf } from './words.ts';

type AppealDrawerProps = { side: Side; id: string | undefined; onClose: () => void };

/** One appeal: what happened, its transfers, its conversation, and the possible decisions. */
export function AppealDrawer({ side, id, onClose }: AppealDrawerProps): ReactNode {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={t('Appeal')}>
      {id !== undefined && <AppealDetail key={id} side={side} id={id} />}
    </Drawer>
  );
}

function AppealDetail({ side, id }: { side: Side; id: string }): ReactNode {
  const { data: appeal, error, refetch } = useAppeal(side.base, id);
  if (!appeal) {
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />;
  }
  return (
    <>
      <Section title={t('What happened')}>
        <div className="flex flex-wrap gap-2">
          <Badge tone={appeal.status === 'open' ? 'waiting' : 'quiet'}>{reasonWords[appeal.reason]}</Badge>
          {appeal.mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
        </div>
        <p className="text-sm text-pretty">{storyOf(appeal).join(' ')}</p>
        {appeal.claims.map((claim) => (
          <blockquote key={claim.at + claim.content} className="border-l-3 border-accent pl-3 text-sm">
            <p className="text-quiet">
              {claim.kind === 'dispute'
                ? t('The customer disputes it')
                : t('The customer names a transaction')}{' '}
              · <Time at={claim.at} />
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{claim.content}</p>
          </blockquote>
        ))}
        <Facts appeal={appeal} />
      </Section>
      {appeal.status === 'closed' ? <Outcome appeal={appeal} /> : <Decisions side={side} appeal={appeal} />}
      <Section title={t('Transfers')}>
        <EvidenceTable appeal={appeal} />
      </Section>
      <Conversation side={side} appeal={appeal} />
      <Section title={t('History')}>
        <ol className="grid gap-2 text-sm">
          {appeal.timeline.map(({ at, status }) => (
            <li key={at + status} className="flex flex-wrap items-center justify-between gap-2">
              <StatusBadge status={status} />
              <Time at={at} exact />
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

function Facts({ appeal }: { appeal: Appeal }): ReactNode {
  const { integration, mode, payment_reference: reference, price } = appeal;
  const isWaiting = appeal.status === 'open' && isSome(appeal.amount_received);
  return (
    <DefinitionList
      facts={[
        [
          t('Payment'),
          <PaymentLink key="payment" integration={integration.id} mode={mode} reference={reference} />,
        ],
        [t('Integration'), integration.name],
        [t('Status'), <StatusBadge key="status" status={appeal.payment_status} />],
        [t('Due'), <Money key="due" amount={appeal.amount_due} currency={appeal.currency} />],
        [t('Received'), <Money key="received" amount={appeal.amount_received} currency={appeal.currency} />],
        [t('Price'), price && <Price key="price" price={price} coin={appeal.currency} />],
        [
          t('Received, worth today'),
          price && isWaiting && <WorthToday key="worth" price={price} coin={appeal.currency} />,
        ],
        [t('Customer'), appeal.customer],
        [t('Opened'), <Time key="opened" at={appeal.opened_at} exact />],
      ]}
    />
  );
}

type PriceProps = { price: NonNullable<Appeal['price']>; coin: string };

/** What was asked, and the rate at which it would have been paid. */
function Price({ price: { amount, currency, rate }, coin }: PriceProps): ReactNode {
  return (
    <>
      <Money amount={amount} currency={currency} />{' '}
      <span className="text-quiet">{t('1 {coin} = {rate} {currency}', { coin, rate, currency })}</span>
    </>
  );
}

/** What came, at the rate of now, which is not that of the quote. */
function WorthToday({ price, coin }: PriceProps): ReactNode {
  const { currency, rate_today: rate, received_today: worth } = price;
  if (rate === null || worth === null) return t('There is no rate today.');
  return (
    <>
      <Money amount={worth} currency={currency} />{' '}
      <span className="text-quiet">{t('1 {coin} = {rate} {currency}', { coin, rate, currency })}</span>
    </>
  );
}

function Outcome({ appeal }: { appeal: Appeal }): ReactNode {
  const { decision, decided_by, note, closed_at } = appeal;
  const team = decided_by?.as === 'operator' ? 'operator' : 'business';
  return (
    <Section title={t('Decision')}>
      <DefinitionList
        facts={[
          [t('Decision'), decision && decisionWords[decision]],
          [t('By'), decided_by && `${decided_by.name ?? t('Somebody')} (${team})`],
          [t('When'), <Time key="when" at={closed_at} exact />],
          [t('Reason'), note],
        ]}
      />
    </Section>
  );
}
