import { Download, FileSpreadsheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { withQuery } from '../../api/list.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { amountText, assetName } from '../../format/amount.ts';
import { dateLocale } from '../../format/time-text.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Money } from '../../ui/display/money.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card, Section } from '../../ui/layout/card.tsx';
import { Pagination } from '../../ui/list/pagination.tsx';
import { Kinds } from './kinds.tsx';
import { ProofCard } from './proof-card.tsx';
import {
  type AssetStatement,
  type DirectStatement,
  type MonthStatement,
  useAccountingCurrency,
  useStatements,
} from './queries.ts';
import type { BalancesSearch } from './search.ts';

type Figure = 'opening' | 'in' | 'out' | 'fees';

const figure = (key: Figure, head: string, from?: 'sm' | 'lg'): Column<AssetStatement> => ({
  key,
  head,
  align: 'end',
  ...(from ? { from } : {}),
  amounts: (row) => [row[key]],
  cell: (row) => <Money amount={row[key]} currency={row.asset.split('-')[0] ?? ''} />,
});

const columns: Column<AssetStatement>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    className: 'w-full',
    cell: ({ asset, in: incoming, out }) => (
      <>
        {assetName(asset)}
        <span className="block text-quiet sm:hidden">
          {t('{incoming} in, {out} out', { incoming: amountText(incoming), out: amountText(out) })}
        </span>
      </>
    ),
  },
  figure('opening', t('Opening'), 'lg'),
  figure('in', t('In'), 'sm'),
  figure('out', t('Out'), 'sm'),
  {
    key: 'closing',
    head: t('Closing'),
    align: 'end',
    amounts: ({ closing, closing_value }) => [closing, closing_value],
    cell: ({ asset, closing, closing_value: value, value_currency: currency }) => (
      <>
        <Money amount={closing} currency={asset.split('-')[0] ?? ''} />
        {value !== null && currency !== null && (
          <span className="block text-quiet">
            <Money amount={value} currency={currency} />
          </span>
        )}
      </>
    ),
  },
  figure('fees', t('Fees kept'), 'lg'),
];

const directFigure = (
  key: Figure | 'closing',
  head: string,
  from?: 'sm' | 'lg',
): Column<DirectStatement> => ({
  key,
  head,
  align: 'end',
  ...(from ? { from } : {}),
  amounts: (row) => [row[key]],
  cell: (row) => <Money amount={row[key]} currency={row.asset.split('-')[0] ?? ''} />,
});

const directStatementColumns: Column<DirectStatement>[] = [
  { key: 'asset', head: t('Asset'), className: 'w-full', cell: ({ asset }) => assetName(asset) },
  directFigure('opening', t('On the way before'), 'lg'),
  directFigure('in', t('Paid')),
  directFigure('out', t('Left for both sides'), 'sm'),
  directFigure('fees', t('Operator’s part'), 'lg'),
  directFigure('closing', t('On the way'), 'sm'),
];

/** The monthly statements of each asset. */
export function Statements({ search }: { search: BalancesSearch }): ReactNode {
  const statements = useStatements(search);
  return (
    <>
      <Loaded query={statements} rows={6}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <EmptyState icon={FileSpreadsheet} title={t('No statement yet')}>
              {t('The first statement is shown here as soon as money has moved.')}
            </EmptyState>
          ) : (
            <>
              <p className="text-sm text-quiet">
                {t(
                  'Months are in UTC. A month opens with the closing balance of the month before. Fees are deducted before money is booked, so In does not include them.',
                )}
              </p>
              <Books />
              {items.map((statement) => (
                <Month key={statement.month} statement={statement} />
              ))}
              <Pagination cursor={search.cursor} next={next_cursor} />
            </>
          )
        }
      </Loaded>
      <ProofCard />
    </>
  );
}

/** The whole of the books as files, and the money in which they are kept. */
function Books(): ReactNode {
  const { path, integrationPath } = useScope();
  const mayExport = useMay('export');
  const may = useMay('manage integrations');
  const accounting = useAccountingCurrency();
  return (
    <Card
      title={t('Books')}
      description={t(
        'Each line keeps the value that it had in its moment. Another currency holds for lines from now on.',
      )}
    >
      <Loaded query={accounting} rows={1}>
        {({ currency, choices }) => (
          <SettingsForm
            label={t('Accounting currency')}
            may={may}
            onSend={({ currency: chosen }) =>
              api(integrationPath('/accounting-currency'), { method: 'PUT', body: { currency: chosen } })
            }
            done={t('Accounting currency saved')}
            changes={[integrationPath('')]}
          >
            <Select
              name="currency"
              label={t('Accounting currency')}
              defaultValue={currency}
              choices={choices.map((code) => ({ value: code, label: code }))}
            />
          </SettingsForm>
        )}
      </Loaded>
      {mayExport && (
        <ul className="flex flex-wrap gap-2">
          {bookFormats.map(({ format, label }) => (
            <li key={format}>
              <a
                href={path(`/statements/all.${format}`)}
                download
                className={buttonClass('quiet', 'small')}
                aria-label={t('All months, for {program}', { program: label })}
              >
                <Download size={16} aria-hidden /> {t('All months, for {program}', { program: label })}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The files of the books: for spreadsheets, and for programs of plain-text accounting. */
const bookFormats = [
  { format: 'csv', label: 'CSV' },
  { format: 'hledger', label: 'hledger' },
  { format: 'beancount', label: 'Beancount' },
];

function Month({ statement: { month, assets, direct } }: { statement: MonthStatement }): ReactNode {
  const { path } = useScope();
  const mayExport = useMay('export');
  const name = monthName(month);
  const csv: Column<AssetStatement> = {
    key: 'csv',
    from: 'sm',
    head: <span className="sr-only">{t('File')}</span>,
    align: 'end',
    cell: ({ asset }) => (
      <a
        href={withQuery(path(`/statements/${month}.csv`), { asset })}
        download
        aria-label={t('{name}, {asset}, as CSV', { name, asset: assetName(asset) })}
        className={buttonClass('plain', 'small')}
      >
        <Download size={16} aria-hidden /> {t('CSV')}
      </a>
    ),
  };
  return (
    <Section
      title={name}
      actions={
        mayExport && (
          <span className="flex flex-wrap gap-2">
            <a href={path(`/statements/${month}.csv`)} download className={buttonClass('quiet', 'small')}>
              <Download size={16} aria-hidden /> {t('All of {name} as CSV', { name })}
            </a>
            <a
              href={path(`/statements/${month}.kinds.csv`)}
              download
              aria-label={t('{name} by kind, as CSV', { name })}
              className={buttonClass('plain', 'small')}
            >
              {t('By kind')}
            </a>
            {bookFormats.slice(1).map(({ format, label }) => (
              <a
                key={format}
                href={path(`/statements/${month}.${format}`)}
                download
                aria-label={t('{name}, for {program}', { name, program: label })}
                className={buttonClass('plain', 'small')}
              >
                {label}
              </a>
            ))}
          </span>
        )
      }
    >
      {assets.length > 0 && (
        <Table
          caption={t('Statement of {name}', { name })}
          columns={mayExport ? [...columns, csv] : columns}
          rows={assets}
          rowKey={({ asset }) => asset}
        />
      )}
      {direct.length > 0 && (
        <>
          <h3 className="text-sm font-semibold">{t('To your own wallet')}</h3>
          <Table
            caption={t('To your own wallet in {name}', { name })}
            columns={directStatementColumns}
            rows={direct}
            rowKey={({ asset }) => asset}
          />
        </>
      )}
      <Kinds month={month} name={name} />
    </Section>
  );
}

/** `2026-03` in words. */
function monthName(month: string): string {
  const words = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return words.format(new Date(`${month}-01T00:00:00Z`));
}
