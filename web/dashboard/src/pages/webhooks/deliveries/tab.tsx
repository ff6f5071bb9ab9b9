import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchX, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useZone } from '../../../format/time-zone.ts';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Pagination } from '../../../ui/list/pagination.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import { DeliveryFilters } from './filters.tsx';
import { PaymentEvents } from './payment-events.tsx';
import { deliveryQuery, useDeliveries } from './queries.ts';
import { DeliveryTable } from './table.tsx';

const route = getRouteApi('/shell/i/$integration/$mode/webhooks');

/** What was sent: found by payment, endpoint, event, outcome and day; each row opens with all that is known. */
export function DeliveriesTab({ endpoints }: { endpoints: readonly Endpoint[] }): ReactNode {
  const search = route.useSearch();
  const query = deliveryQuery(search, useZone());
  const deliveries = useDeliveries(query);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <DeliveryFilters key={search.reference} endpoints={endpoints} />
      {search.reference !== undefined && <PaymentEvents reference={search.reference} />}
      <Loaded query={deliveries} rows={6}>
        {({ items, next_cursor }) =>
          items.length > 0 ? (
            <DeliveryTable
              deliveries={items}
              endpoints={endpoints}
              selected={search.delivery}
              stale={deliveries.isPlaceholderData}
              footer={<Pagination cursor={search.cursor} next={next_cursor} />}
            />
          ) : (
            <NothingFound isFiltered={isFiltered} next={next_cursor} />
          )
        }
      </Loaded>
    </>
  );
}

function NothingFound({ isFiltered, next }: { isFiltered: boolean; next: string | null }): ReactNode {
  if (next !== null) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('Nothing among the newer deliveries')}
        action={
          <Link
            to="."
            search={(now: object) => ({ ...now, cursor: next })}
            className={buttonClass('primary')}
          >
            {t('Look further back')}
          </Link>
        }
      >
        {t(
          'A hundred thousand were looked through, and older ones follow. A day or an endpoint makes the search shorter.',
        )}
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('No delivery is like that')}
        action={
          <Link to="." search={{ tab: 'deliveries' }} className={buttonClass('quiet')}>
            {t('Show all deliveries')}
          </Link>
        }
      >
        {t('Change a filter, or look for the payment by its whole reference.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Send} title={t('Nothing was sent yet')}>
      {t(
        'Every webhook is listed here with what was sent, what your server answered and when it is tried again. Complete a test payment, or send a test event from an endpoint’s menu.',
      )}
    </EmptyState>
  );
}
