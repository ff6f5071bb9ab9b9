import { CircleCheck, CircleDashed, CircleOff, Hourglass, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import type { EndpointHealth } from './queries.ts';

/** The endpoints of a chain in the order of the configuration, each with its fault. */
export function ChainEndpoints({
  chain,
  endpoints,
  used,
  hasBlocks,
}: {
  chain: string;
  endpoints: readonly EndpointHealth[];
  /** The one that was read last. */
  used: string | null;
  /** False for a network of ledgers, which is read page by page. */
  hasBlocks: boolean;
}): ReactNode {
  return (
    <Table
      caption={t('Endpoints of {chain}', { chain })}
      columns={
        hasBlocks
          ? [...columnsFor(used, 'block'), askedAtOnce, stateColumn]
          : [...columnsFor(used, 'ledger'), stateColumn]
      }
      rows={endpoints}
      rowKey={({ name }) => name}
    />
  );
}

const looks = {
  up: { tone: 'paid', icon: CircleCheck, words: t('Up') },
  unused: { tone: 'quiet', icon: CircleDashed, words: t('Not asked yet') },
  behind: { tone: 'waiting', icon: Hourglass, words: t('Behind') },
  suspect: { tone: 'lost', icon: TriangleAlert, words: t('Doubtful') },
  resting: { tone: 'waiting', icon: Hourglass, words: t('Resting') },
  wrong_chain: { tone: 'lost', icon: CircleOff, words: t('Wrong network') },
} as const;

function columnsFor(used: string | null, unit: 'block' | 'ledger'): Column<EndpointHealth>[] {
  return [
    {
      key: 'name',
      head: t('Endpoint'),
      grow: true,
      className: 'whitespace-normal!',
      cell: (endpoint) => (
        <span className="grid justify-items-start gap-1 py-1.5 wrap-anywhere whitespace-normal">
          <span>
            {endpoint.name}
            {endpoint.name === used && endpoint.state === 'up' && (
              <span className="text-quiet"> {t('in use')}</span>
            )}
          </span>
          {endpoint.fault !== null && <span className="text-lost">{endpoint.fault}</span>}
          <span className="sm:hidden">
            <State endpoint={endpoint} />
          </span>
        </span>
      ),
    },
    {
      key: 'latency',
      head: t('Answers in'),
      align: 'end',
      from: 'sm',
      className: 'whitespace-nowrap',
      cell: ({ latency_ms }) => (latency_ms === null ? none : `${latency_ms} ms`),
    },
    {
      key: 'lag',
      head: t('Behind'),
      align: 'end',
      from: 'md',
      className: 'whitespace-nowrap',
      cell: ({ lag_blocks }) =>
        lag_blocks === null ? none : lag_blocks === 0 ? t('No') : many(lag_blocks, unit),
    },
  ];
}

const askedAtOnce: Column<EndpointHealth> = {
  key: 'span',
  head: t('Blocks per request'),
  align: 'end',
  from: 'lg',
  className: 'whitespace-nowrap',
  cell: ({ span }) => many(span, 'block'),
};

const stateColumn: Column<EndpointHealth> = {
  key: 'state',
  head: t('State'),
  align: 'end',
  from: 'sm',
  cell: (endpoint) => <State endpoint={endpoint} />,
};

function State({ endpoint: { state, retry_seconds } }: { endpoint: EndpointHealth }): ReactNode {
  const { tone, icon, words } = looks[state];
  return (
    <Badge tone={tone} icon={icon}>
      {words}
      {state === 'resting' && retry_seconds !== null && ` ${retry_seconds} s`}
    </Badge>
  );
}

const none = <span className="text-quiet">–</span>;
const many = (count: number, unit: 'block' | 'ledger'): string => {
  const figure = count.toLocaleString('en');
  return unit === 'block'
    ? counted(count, '1 block', '{figure} blocks', { figure })
    : counted(count, '1 ledger', '{figure} ledgers', { figure });
};
