import { CircleCheck, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type FailedDelivery, useFailedDeliveries, useResend } from './queries.ts';

/** Deliveries of every merchant whose attempts have all failed. */
export function FailedDeliveries(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const deliveries = useFailedDeliveries(cursor);
  return (
    <List
      list={deliveries}
      caption={t('Failed deliveries')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={CircleCheck} title={t('No delivery has failed')}>
          {t(
            "One that could not be delivered for days is shown here, with what the merchant's server answered last.",
          )}
        </EmptyState>
      }
    />
  );
}

function Resend({ id }: { id: string }): ReactNode {
  const { mutate, isPending } = useResend();
  return (
    <Button size="small" className="relative z-1" pending={isPending} onClick={() => mutate(id)}>
      <Send size={15} aria-hidden /> {t('Send again')}
    </Button>
  );
}

const columns: Column<FailedDelivery>[] = [
  {
    key: 'event',
    head: t('Event'),
    cell: ({ event_type, payment_reference, payout_reference, integration_id: integration, mode }) => (
      <span className="grid">
        {payment_reference === '' ? (
          <span className="max-w-44 truncate font-mono">{payout_reference}</span>
        ) : (
          <PaymentLink
            integration={integration}
            mode={mode}
            reference={payment_reference}
            className="row-link max-w-44 truncate font-mono"
          />
        )}
        <span className="text-quiet">{event_type}</span>
      </span>
    ),
  },
  {
    key: 'integration',
    head: t('Integration'),
    from: 'sm',
    cell: ({ integration_name, mode }) => (
      <span className="flex items-center gap-2 whitespace-nowrap">
        {integration_name} {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
      </span>
    ),
  },
  {
    key: 'url',
    head: t('To'),
    from: 'lg',
    cell: ({ url }) => <span className="block max-w-56 truncate font-mono">{url}</span>,
  },
  {
    key: 'last',
    head: t('Last answer'),
    from: 'sm',
    cell: ({ last_status_code, last_error, last_attempt_at, attempts }) => (
      <span className="grid">
        <span className="max-w-52 truncate">{last_status_code ?? last_error ?? t('None')}</span>
        <span className="text-quiet">
          {rich('{time} · {attempts} attempts', { time: <Time at={last_attempt_at} />, attempts })}
        </span>
      </span>
    ),
  },
  {
    key: 'resend',
    head: <span className="sr-only">{t('Send again')}</span>,
    align: 'end',
    cell: ({ id }) => <Resend id={id} />,
  },
];
