import { Vault } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { type ReserveView, useReserves } from './queries.ts';

/** What the networks show in treasuries and vaults, and what still lies where it was received: live money, and that of test networks. */
export function TreasuryAndVault(): ReactNode {
  return (
    <Loaded query={useReserves()}>
      {({ at, items, test }) =>
        at === null || items.length + (test?.items.length ?? 0) === 0 ? (
          <EmptyState icon={Vault} title={t('No network was read yet')}>
            {t(
              'What lies in the treasury and in the vault of each network is shown here, as the network itself shows it.',
            )}
          </EmptyState>
        ) : (
          <>
            <Held title={t('Live')} rows={items} at={at} />
            <Held title={t('Test networks')} rows={test?.items ?? []} at={at} />
          </>
        )
      }
    </Loaded>
  );
}

type HeldProps = { title: string; rows: readonly ReserveView[]; at: string };

function Held({ title, rows, at }: HeldProps): ReactNode {
  if (rows.length === 0) return null;
  return (
    <Section
      title={title}
      description={rich(
        'The treasury keeps what was swept, and payouts leave from the vault. As the networks showed it {time}.',
        { time: <Time at={at} /> },
      )}
    >
      <Table
        caption={t('Held: {title}', { title })}
        columns={columns}
        rows={rows}
        rowKey={({ asset }) => asset}
      />
    </Section>
  );
}

const place = (key: keyof ReserveView['held'], head: string): Column<ReserveView> => ({
  key,
  head,
  align: 'end',
  amounts: ({ held }) => [held[key]],
  cell: ({ asset, held }) => <Money amount={held[key]} currency={asset} bare />,
});

const columns: Column<ReserveView>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    grow: true,
    cell: ({ asset, network }) => (
      <>
        <span className="font-semibold">{asset}</span> <span className="text-quiet">{network}</span>
      </>
    ),
  },
  place('treasury', t('Treasury')),
  place('vault', t('Vault')),
  place('addresses', t('Where received')),
];
