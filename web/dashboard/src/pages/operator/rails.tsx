import { CircleCheck, CircleOff, TrainTrack, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { type RailHealth, useRails } from './installation-queries.ts';
import { Loaded } from './loaded.tsx';

/** How far behind its chain each rail is. */
export function Rails(): ReactNode {
  const rails = useRails();
  return (
    <Section title="Rails">
      <Loaded query={rails} rows={1}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={TrainTrack} title="No rail">
              A rail watches one chain for payments.
            </EmptyState>
          ) : (
            <>
              <Table
                caption="Rails and their lag"
                columns={columns}
                rows={items}
                rowKey={({ rail }) => rail}
              />
              {items.every(({ chain }) => chain === null) && (
                <p className="text-sm text-quiet">
                  No rail watches a real chain yet: live payments are paid from wallets, test payments by
                  simulation.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

const looks = {
  up: { tone: 'paid', icon: CircleCheck, words: 'Up' },
  behind: { tone: 'waiting', icon: TriangleAlert, words: 'Behind' },
  down: { tone: 'lost', icon: CircleOff, words: 'Down' },
} as const;

const columns: Column<RailHealth>[] = [
  {
    key: 'rail',
    head: 'Rail',
    cell: ({ rail, chain }) => (
      <>
        <b className="font-semibold">{rail}</b>{' '}
        {chain !== null && <span className="text-quiet">{chain}</span>}
      </>
    ),
  },
  {
    key: 'block',
    head: 'Last block',
    align: 'end',
    from: 'sm',
    cell: ({ last_block }) => last_block ?? <span className="text-quiet">None</span>,
  },
  { key: 'lag', head: 'Lag', align: 'end', cell: ({ lag_seconds }) => `${lag_seconds} s` },
  {
    key: 'endpoint',
    head: 'Endpoint',
    from: 'md',
    cell: ({ endpoint }) => endpoint ?? <span className="text-quiet">This gateway</span>,
  },
  {
    key: 'status',
    head: 'State',
    align: 'end',
    cell: ({ status }) => (
      <Badge tone={looks[status].tone} icon={looks[status].icon}>
        {looks[status].words}
      </Badge>
    ),
  },
];
