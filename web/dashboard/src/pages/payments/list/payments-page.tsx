import { Link } from '@tanstack/react-router';
import { Coins, Plus, SearchX, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useMay, useScope } from '../../../api/scope.ts';
import { useKeyWord } from '../../../api/test-key.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { NewPayment } from '../new/new-payment.tsx';
import { PaymentView } from '../payment-view.tsx';
import { usePayments } from '../queries.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { chipsOf, isFiltered, useFilters } from './filters.ts';
import { PaymentsTable } from './payments-table.tsx';
import { SearchBox } from './search-box.tsx';
import { StatusTabs } from './status-tabs.tsx';
import { ColumnMenu, ViewMenu } from './view-menu.tsx';

/** Every payment of the integration in this mode: filtered by the address, each one opened in a drawer. */
export function PaymentsPage(): ReactNode {
  const { search, change } = useFilters();
  const [filtersOpen, setFiltersOpen] = useState(false);
  const mayCreate = useMay('create payments');
  const panel = useId();
  const count = chipsOf(search).length;
  return (
    <>
      <PageHeader title={t('Payments')} actions={<Actions />} />
      <div className="grid gap-3">
        <div className="flex flex-wrap gap-2">
          <SearchBox />
          <Button
            aria-expanded={filtersOpen}
            aria-controls={filtersOpen ? panel : undefined}
            onClick={() => setFiltersOpen(!filtersOpen)}
          >
            <SlidersHorizontal size={16} aria-hidden />
            {t('Filters')}
            {count > 0 && ` (${count})`}
          </Button>
          <ViewMenu />
          <ColumnMenu />
        </div>
        {filtersOpen && <FilterPanel id={panel} />}
        <FilterChips />
        <StatusTabs />
      </div>
      <Results />
      <PaymentDrawer reference={search.open} onClose={() => change({ ...search, open: undefined })} />
      {mayCreate && search.make && <NewPayment onClose={() => change({ ...search, make: undefined })} />}
    </>
  );
}

function Actions(): ReactNode {
  const { search } = useFilters();
  return (
    <>
      {useMay('export') && <ExportMenu search={search} />}
      {useMay('create payments') && (
        <Link
          to="."
          search={(now: object) => ({ ...now, make: 'payment' as const })}
          className={buttonClass('primary')}
        >
          <Plus size={16} aria-hidden /> {t('New payment')}
        </Link>
      )}
    </>
  );
}

function Results(): ReactNode {
  const { search } = useFilters();
  const payments = usePayments(search);
  return (
    <Loaded query={payments} rows={10}>
      {({ items, next_cursor }) =>
        items.length > 0 ? (
          <PaymentsTable
            rows={items}
            open={search.open}
            cursor={search.cursor}
            next={next_cursor}
            stale={payments.isPlaceholderData}
          />
        ) : isFiltered(search) ? (
          <NothingFound />
        ) : (
          <NoneYet />
        )
      }
    </Loaded>
  );
}

function NothingFound(): ReactNode {
  return (
    <EmptyState
      icon={SearchX}
      title={t('No payment matches')}
      action={
        <Link to="." search={{}} className={buttonClass()}>
          {t('Clear search and filters')}
        </Link>
      }
    >
      {t(
        'A search finds whole references, ids, orders, addresses and transaction hashes, and e-mail addresses by their beginning.',
      )}
    </EmptyState>
  );
}

function NoneYet(): ReactNode {
  const { mode, integrationId } = useScope();
  const key = useKeyWord();
  const create = [
    `curl -X PUT ${window.location.origin}/payment/create \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"amount": 10, "currency": "USDC", "payment_type": "deposit"}'`,
  ].join('\n');
  return (
    <EmptyState
      icon={Coins}
      title={t('No {mode} payments yet', { mode: ofGateway(mode) })}
      code={create}
      action={
        <Link
          to="/i/$integration/$mode/settings"
          params={{ integration: integrationId, mode }}
          className={buttonClass()}
        >
          {t('Find your {mode} key', { mode: ofGateway(mode) })}
        </Link>
      }
    >
      {t(
        'Your back end makes a payment with its {mode} key and sends the customer to the address in the answer.',
        { mode },
      )}
    </EmptyState>
  );
}

function PaymentDrawer({
  reference,
  onClose,
}: {
  reference: string | undefined;
  onClose: () => void;
}): ReactNode {
  const { integrationId, mode } = useScope();
  return (
    <Drawer open={reference !== undefined} onClose={onClose} title={t('Payment')}>
      {reference !== undefined && (
        <>
          <Link
            to="/i/$integration/$mode/payments/$reference"
            params={{ integration: integrationId, mode, reference }}
            className={`${buttonClass('link')} justify-self-start`}
          >
            {t('Open as a page')}
          </Link>
          <PaymentView reference={reference} />
        </>
      )}
    </Drawer>
  );
}
