import { CircleCheck, CircleOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Card, Section } from '../../../ui/layout/card.tsx';
import { Loaded } from '../loaded.tsx';
import { type LoopReport, type ProcessReport, useProcesses } from './queries.ts';

/** Every gateway process of the installation with its background loops. */
export function Processes(): ReactNode {
  const processes = useProcesses();
  return (
    <Section title="Gateways" description="A process that has not reported for 15 seconds counts as stopped.">
      <Loaded query={processes}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-quiet">
              No gateway has reported yet. Each reports every five seconds.
            </p>
          ) : (
            items.map((each) => <ProcessCard key={each.id} process={each} />)
          )
        }
      </Loaded>
    </Section>
  );
}

function ProcessCard({ process }: { process: ProcessReport }): ReactNode {
  const { host, pid, version, started_at, seen_at, is_alive, loops } = process;
  return (
    <Card
      title={
        <>
          {host} <span className="font-normal text-quiet">process {pid}</span>
        </>
      }
      description={
        <>
          Version {version}, started <Time at={started_at} />
        </>
      }
      actions={
        is_alive ? (
          <Badge tone="paid" icon={CircleCheck}>
            Running
          </Badge>
        ) : (
          <Badge icon={CircleOff}>
            Stopped, last report <Time at={seen_at} />
          </Badge>
        )
      }
    >
      {is_alive && (
        <Table
          caption={`Loops of process ${pid}`}
          columns={columns}
          rows={loops}
          rowKey={({ name }) => name}
        />
      )}
    </Card>
  );
}

/** The loops in words. */
const work: Record<string, string> = {
  payments: 'Deadlines of payments',
  simulated: 'Simulated chain',
  losses: 'Mails about reversals',
  wallets: 'Other wallet systems',
  appeals: 'Messages about appeals',
  statements: 'Monthly statements',
  mails: 'Mails',
  currencies: 'Terms of currencies',
  heartbeat: 'Reports of this process',
  rates: 'Rates',
  sessions: 'Old sessions',
  'sent mails': 'Old mails',
  'key uses': 'Last use of keys',
  'request log': 'Old API requests',
  idempotency: 'Old idempotency keys',
  pi: 'Account on the Pi network',
  'pi platform': 'Payments in the Pi Browser',
  'pi sending': 'Sending in PI',
};

const columns: Column<LoopReport>[] = [
  {
    key: 'name',
    head: 'Loop',
    cell: ({ name, last_fault }) => (
      <span className="grid">
        {work[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
        {last_fault !== null && (
          <span className="text-lost wrap-anywhere sm:hidden">{last_fault.message}</span>
        )}
      </span>
    ),
  },
  {
    key: 'every',
    head: 'Every',
    align: 'end',
    from: 'sm',
    cell: ({ every_seconds }) => `${every_seconds} s`,
  },
  {
    key: 'done',
    head: 'Last done',
    align: 'end',
    cell: ({ last_done_at }) => <Time at={last_done_at} />,
  },
  {
    key: 'fault',
    head: 'Last fault',
    align: 'end',
    from: 'sm',
    cell: ({ last_fault }) =>
      last_fault === null ? (
        <span className="text-quiet">None</span>
      ) : (
        <Badge tone="lost" icon={TriangleAlert}>
          <span className="max-w-60 truncate" title={last_fault.message}>
            {last_fault.message}
          </span>
        </Badge>
      ),
  },
];
