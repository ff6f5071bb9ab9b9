import { Link, useNavigate } from '@tanstack/react-router';
import { ReceiptText, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Money } from '../../ui/display/money.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { List } from '../../ui/list/list.tsx';
import { causes, LineCause } from './line-cause.tsx';
import { type BalanceLine, useBalances, type useLines } from './queries.ts';
import type { BalancesSearch } from './search.ts';

const columns: Column<BalanceLine>[] = [
  {
    key: 'time',
    head: t('When'),
    from: 'sm',
    cell: ({ created_at }) => <Time at={created_at} />,
    className: 'whitespace-nowrap',
  },
  {
    key: 'cause',
    head: t('What'),
    className: 'w-full wrap-anywhere',
    cell: (line) => (
      <>
        <LineCause line={line} />
        <span className="block text-quiet sm:hidden">
          <Time at={line.created_at} />
        </span>
      </>
    ),
  },
  {
    key: 'network',
    head: t('Network'),
    from: 'md',
    className: 'whitespace-nowrap',
    cell: ({ network }) => network,
  },
  {
    key: 'amount',
    head: t('Amount'),
    align: 'end',
    amounts: ({ amount, value }) => [amount, value],
    cell: ({ amount, currency, network, value, value_currency }) => (
      <>
        <Money amount={amount} currency={currency} signed />
        {value !== null && value_currency !== null && (
          <span className="block text-quiet">
            <Money amount={value} currency={value_currency} />
          </span>
        )}
        <span className="block text-quiet md:hidden">{network}</span>
      </>
    ),
  },
  {
    key: 'balance',
    head: t('Balance after'),
    align: 'end',
    from: 'md',
    amounts: ({ balance_after }) => [balance_after],
    cell: ({ balance_after: balance, currency }) =>
      balance === null ? (
        <span className="text-quiet">–</span>
      ) : (
        <Money amount={balance} currency={currency} />
      ),
  },
];

export type LinesProps = { search: BalancesSearch; lines: ReturnType<typeof useLines> };

/** The ledger's lines of the business, newest first. */
export function Lines({ search, lines }: LinesProps): ReactNode {
  const isFiltered = Boolean(search.asset ?? search.cause ?? search.from ?? search.to);
  return (
    <>
      <Filters search={search} />
      <List
        list={lines}
        caption={t('Lines of the balance')}
        columns={columns}
        rowKey={({ id, asset }) => `${id} ${asset}`}
        empty={
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title={t('No line matches')}
              action={
                <Link to="." search={{}} className={buttonClass()}>
                  {t('Clear the filters')}
                </Link>
              }
            />
          ) : (
            <EmptyState icon={ReceiptText} title={t('No line yet')}>
              {t('Each completed payment adds a line here, and each user you fund.')}
            </EmptyState>
          )
        }
      />
    </>
  );
}

function Filters({ search }: { search: BalancesSearch }): ReactNode {
  const navigate = useNavigate();
  const assets = useBalances().data?.items ?? [];
  const set = (name: keyof BalancesSearch) => (event: { target: { value: string } }) =>
    void navigate({ to: '.', search: changeSearch({ cursor: undefined, [name]: event.target.value }) });
  const assetChoices = assets.map(({ asset }) => ({ value: asset, label: assetName(asset) }));
  return (
    <fieldset className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <legend className="sr-only">{t('Filters')}</legend>
      <Select
        label={t('Asset')}
        value={search.asset ?? ''}
        onChange={set('asset')}
        choices={[{ value: '', label: t('All') }, ...assetChoices]}
      />
      <Select
        label={t('What')}
        value={search.cause ?? ''}
        onChange={set('cause')}
        choices={[{ value: '', label: t('All') }, ...causes]}
      />
      <Input type="date" label={t('From')} value={search.from ?? ''} onChange={set('from')} />
      <Input type="date" label={t('Until')} value={search.to ?? ''} onChange={set('to')} />
    </fieldset>
  );
}
