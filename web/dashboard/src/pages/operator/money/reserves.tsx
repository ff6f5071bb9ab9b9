import { clsx } from 'clsx';
import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { amountText } from '../../../format/amount.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { type ReservesView, type ReserveView, useReserves } from './queries.ts';

/** What is owed beside what the networks show is held: live money, and that of test networks where there are some. */
export function Reserves(): ReactNode {
  const reserves = useReserves();
  return (
    <Loaded query={reserves}>
      {({ at, test, ...live }) =>
        at === null || (isEmpty(live) && test === null) ? (
          <EmptyState icon={Scale} title={t('Nothing has been compared yet')}>
            {t(
              'Where a network is configured, what is owed in live mode is compared with what the network shows every ten minutes.',
            )}
          </EmptyState>
        ) : (
          <>
            {!isEmpty(live) && (
              <Compared
                {...live}
                title={t('Owed and held')}
                description={rich(
                  'Live money that the ledger owes, and what the networks themselves show at one final block. Compared {time}.',
                  { time: <Time at={at} /> },
                )}
              />
            )}
            {test !== null && (
              <Compared
                {...test}
                title={t('Test networks')}
                description={rich(
                  'Coins of test networks, which are worth nothing: what the ledger owes of them, and what these networks show. Compared {time}.',
                  { time: <Time at={at} /> },
                )}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

type Report = NonNullable<ReservesView['test']>;

const isEmpty = ({ items, missing }: Report): boolean => items.length + missing.length === 0;

type ComparedProps = Report & { title: string; description: ReactNode };

function Compared({ items, missing, title, description }: ComparedProps): ReactNode {
  return (
    <Section title={title} description={description}>
      {items.some(({ difference }) => difference !== '0') && (
        <Banner tone="lost" title={t('What is held is not what is owed')}>
          {t('For these assets something differs that nothing explains. Below zero, money is missing.')}
        </Banner>
      )}
      {missing.length > 0 && (
        <Banner tone="waiting" title={t('Not all assets could be compared')}>
          {missing.map(({ asset, why }) => `${asset}: ${ofGateway(why)}`).join('; ')}
        </Banner>
      )}
      {items.length > 0 && (
        <Table
          caption={t('Reserves: {title}', { title })}
          columns={columns}
          rows={items}
          rowKey={({ asset }) => asset}
        />
      )}
    </Section>
  );
}

const owedNames: Record<keyof ReserveView['owed'], string> = {
  business: t('Merchants'),
  wallets: t('Wallets'),
  customers: t('To customers'),
  fees: t('Fees'),
  suspense: t('Suspense'),
};
const heldNames: Record<keyof ReserveView['held'], string> = {
  addresses: t('Where received'),
  treasury: t('Treasury'),
  vault: t('Vault'),
};

type PartsProps = { parts: [name: string, amount: string][]; look?: string };

/** The parts that are not zero, one below the other. */
function Parts({ parts, look = 'whitespace-nowrap' }: PartsProps): ReactNode {
  const shown = parts.filter(([, amount]) => amount !== '0');
  if (shown.length === 0) return <span className="text-quiet">–</span>;
  return shown.map(([name, amount]) => (
    <span key={name} className={clsx('block', look)}>
      <span className="text-quiet text-xs">{name}</span> {amountText(amount)}
    </span>
  ));
}

const columns: Column<ReserveView>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    grow: true,
    cell: ({ asset, network, block }) => (
      <>
        <span className="font-semibold">{asset}</span>
        <span className="block text-quiet text-xs">
          {rich('{network}, block {block}', { network, block })}
        </span>
      </>
    ),
  },
  {
    key: 'owed',
    head: t('Owed'),
    align: 'end',
    cell: ({ owed }) => (
      <Parts
        parts={(Object.keys(owedNames) as (keyof typeof owedNames)[]).map((key) => [
          owedNames[key],
          owed[key],
        ])}
      />
    ),
  },
  {
    key: 'held',
    head: t('Held'),
    align: 'end',
    cell: ({ held }) => (
      <Parts
        parts={(Object.keys(heldNames) as (keyof typeof heldNames)[]).map((key) => [
          heldNames[key],
          held[key],
        ])}
      />
    ),
  },
  {
    key: 'explained',
    head: t('Explained'),
    align: 'end',
    cell: ({ explained }) => (
      <Parts parts={explained.map(({ why, amount }) => [ofGateway(why), amount])} look="min-w-52" />
    ),
  },
  {
    key: 'difference',
    head: t('Difference'),
    align: 'end',
    cell: ({ difference }) =>
      difference === '0' ? (
        <Badge tone="paid">{t('None')}</Badge>
      ) : (
        <span className="font-semibold text-lost">{amountText(difference)}</span>
      ),
  },
];
