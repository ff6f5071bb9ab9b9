import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { chaosIcon as ChaosIcon } from '../chaos/badge.tsx';
import type { Delivery } from '../types/delivery.ts';
import type { Endpoint } from '../types/endpoint.ts';
import { durationText } from './explain.ts';
import { DeliveryBadge } from './status.tsx';

const columnsFor = (endpoints: readonly Endpoint[]): Column<Delivery>[] => [
  {
    key: 'status',
    head: t('Outcome'),
    cell: ({ status, created_at }) => (
      <>
        <DeliveryBadge status={status} />
        <span className="mt-0.5 block text-quiet sm:hidden">
          <Time at={created_at} still />
        </span>
      </>
    ),
  },
  {
    key: 'event',
    head: t('Event'),
    grow: true,
    className: 'min-w-40',
    cell: ({ id, endpoint, event, met_chaos }) => (
      <>
        <Link
          to="."
          search={(now: object) => ({ ...now, delivery: `${endpoint.id}.${id}` })}
          className="row-link font-semibold"
        >
          {event.type}
        </Link>
        {met_chaos && (
          <ChaosIcon
            size={14}
            role="img"
            aria-label={t('met chaos')}
            className="ml-1.5 inline align-[-2px] text-waiting"
          />
        )}
        <span className="flex gap-1.5 font-mono text-quiet">
          <span className="truncate">{event.payment_reference || event.payout_reference}</span>
          {event.sequence > 0 && (
            <span className="shrink-0" title="X-Sequence">
              #{event.sequence}
            </span>
          )}
        </span>
      </>
    ),
  },
  {
    key: 'endpoint',
    head: t('Endpoint'),
    from: 'lg',
    cell: ({ endpoint }) => (
      <span className="block max-w-56 truncate text-quiet" title={endpoint.url}>
        {endpoint.url.replace(/^https?:\/\//, '')}
      </span>
    ),
  },
  {
    key: 'answer',
    head: t('Answer'),
    from: 'sm',
    cell: (delivery) => (
      <Answer
        of={delivery}
        endpointStatus={endpoints.find(({ id }) => id === delivery.endpoint.id)?.status}
      />
    ),
  },
  {
    key: 'attempts',
    head: t('Attempts'),
    from: 'md',
    align: 'end',
    cell: ({ attempts }) => attempts.toLocaleString('en'),
  },
  {
    key: 'when',
    head: t('When'),
    from: 'sm',
    align: 'end',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

export type DeliveryTableProps = {
  deliveries: Delivery[];
  endpoints: readonly Endpoint[];
  selected: string | undefined;
  stale: boolean;
  footer: ReactNode;
};

export function DeliveryTable({ deliveries, endpoints, ...rest }: DeliveryTableProps): ReactNode {
  return (
    <Table
      caption={t('Deliveries')}
      columns={columnsFor(endpoints)}
      rows={deliveries}
      rowKey={({ endpoint, id }) => `${endpoint.id}.${id}`}
      {...rest}
    />
  );
}

type AnswerProps = { of: Delivery; endpointStatus: Endpoint['status'] | undefined };

function Answer({ of: { status, last_attempt: last }, endpointStatus }: AnswerProps): ReactNode {
  if (status === 'held') return <Quiet>{t('endpoint was off')}</Quiet>;
  if (status === 'pending' && endpointStatus === 'paused') return <Quiet>{t('endpoint is paused')}</Quiet>;
  if (status === 'pending' && endpointStatus === 'disabled')
    return <Quiet>{t('endpoint is turned off')}</Quiet>;
  if (last === null) return <Quiet>{t('not tried yet')}</Quiet>;
  if (last.injected_fault !== null) {
    return (
      <span
        className="inline-flex items-center gap-1.5 whitespace-nowrap text-waiting"
        title={last.error ?? ''}
      >
        {rich('{chaosIcon} chaos', { chaosIcon: <ChaosIcon size={14} aria-hidden /> })}
      </span>
    );
  }
  if (last.status_code === null) return <span className="text-lost">{t('no answer')}</span>;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {last.status_code}{' '}
      <span className="text-quiet">
        {t('in {durationMs}', { durationMs: durationText(last.duration_ms) })}
      </span>
    </span>
  );
}

function Quiet({ children }: { children: string }): ReactNode {
  return <span className="text-quiet">{children}</span>;
}
