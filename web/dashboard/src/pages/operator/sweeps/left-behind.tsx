import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Id } from '../../../ui/display/code.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import type { LeftBehind } from './queries.ts';

/** Deposits that could not be swept, and why. */
export function LeftBehindTable({ rows }: { rows: readonly LeftBehind[] }): ReactNode {
  return (
    <Section
      title={t('Not swept')}
      description={t(
        'These deposits could not be swept, for example because the token is paused or blocks the address. They are tried again automatically.',
      )}
    >
      <Table
        caption={t('Deposits that could not be swept')}
        columns={columns}
        rows={rows}
        rowKey={({ chain, asset, address }) => `${chain} ${asset} ${address}`}
      />
    </Section>
  );
}

const columns: Column<LeftBehind>[] = [
  {
    key: 'address',
    head: t('Address'),
    cell: ({ address, asset, chain }) => (
      <span className="grid">
        <Id text={address} what={t('address')} />
        <span className="text-quiet">
          {asset.length > 30 ? `${asset.slice(0, 10)}…` : asset} · {chain}
        </span>
      </span>
    ),
  },
  {
    key: 'reason',
    head: t('Reason'),
    cell: ({ reason }) => <span className="block max-w-96 wrap-anywhere">{reason}</span>,
  },
  { key: 'tries', head: t('Tries'), align: 'end', from: 'sm', cell: ({ tries }) => tries },
  {
    key: 'retry',
    head: t('Next try'),
    align: 'end',
    from: 'sm',
    cell: ({ retry_at }) => <Time at={retry_at} />,
  },
];
