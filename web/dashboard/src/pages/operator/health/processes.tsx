import { CircleCheck, CircleOff, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card, Section } from '../../../ui/layout/card.tsx';
import { type LoopReport, type ProcessReport, useProcesses } from './queries.ts';

/** Every gateway process of the installation with its background loops. */
export function Processes(): ReactNode {
  const processes = useProcesses();
  return (
    <Section
      title={t('Gateways')}
      description={t('A process that has not reported for 15 seconds counts as stopped.')}
    >
      <Loaded query={processes}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-quiet">
              {t('No gateway has reported yet. Each reports every five seconds.')}
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
          {host} <span className="font-normal text-quiet">{t('process {pid}', { pid })}</span>
        </>
      }
      description={rich('Version {version}, started {time}', { version, time: <Time at={started_at} /> })}
      actions={
        is_alive ? (
          <Badge tone="paid" icon={CircleCheck}>
            {t('Running')}
          </Badge>
        ) : (
          <Badge icon={CircleOff}>
            {rich('Stopped, last report {time}', { time: <Time at={seen_at} /> })}
          </Badge>
        )
      }
    >
      {is_alive && (
        <Table
          caption={t('Loops of process {pid}', { pid })}
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
  payments: t('Deadlines of payments'),
  simulated: t('Simulated chain'),
  losses: t('Mails about reversals'),
  wallets: t('Other wallet systems'),
  appeals: t('Messages about appeals'),
  statements: t('Monthly statements'),
  mails: t('Mails'),
  currencies: t('Terms of currencies'),
  heartbeat: t('Reports of this process'),
  doctor: t('Doctor'),
  rates: t('Rates'),
  'rate sources': t('Sources of rates'),
  sessions: t('Old sessions'),
  'sent mails': t('Old mails'),
  'key uses': t('Last use of keys'),
  'request log': t('Old API requests'),
  idempotency: t('Old idempotency keys'),
  pi: t('Account on the Pi network'),
  'pi platform': t('Payments in the Pi Browser'),
  'pi sending': t('Sending in PI'),
  gateways: t('Gateways'),
  sweeps: t('Sweeps'),
  replays: t('Replays'),
  receipts: t('Receipts'),
  reserves: t('Reserves'),
  treasury: t('Treasury'),
  proposals: t('Proposals'),
  stamps: t('Stamps'),
  'old events': t('Old events'),
  'security log': t('Security log'),
  'security events': t('Old security events'),
  'scheduled payouts': t('Scheduled payouts'),
  'simulated payouts': t('Simulated payouts'),
  'unclaimed refunds': t('Unclaimed refunds'),
  'wallet payments': t('Payments by wallets'),
  'wallet sessions': t('Old sessions of wallets'),
  'wallet notices': t('Notices of wallets'),
};

const columns: Column<LoopReport>[] = [
  {
    key: 'name',
    head: t('Loop'),
    cell: ({ name, last_fault }) => (
      <span className="grid">
        {work[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
        {last_fault !== null && (
          <span className="text-lost wrap-anywhere sm:hidden">
            {last_fault.message} · <Time at={last_fault.at} />
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'every',
    head: t('Every'),
    align: 'end',
    from: 'sm',
    cell: ({ every_seconds }) => `${every_seconds} s`,
  },
  {
    key: 'done',
    head: t('Last done'),
    align: 'end',
    cell: ({ last_done_at }) => <Time at={last_done_at} />,
  },
  {
    key: 'fault',
    head: t('Last fault'),
    align: 'end',
    from: 'sm',
    cell: ({ last_fault }) =>
      last_fault === null ? (
        <span className="text-quiet">{t('None')}</span>
      ) : (
        <span className="grid justify-items-end gap-0.5">
          <Badge tone="lost" icon={TriangleAlert}>
            <span className="max-w-60 truncate" title={last_fault.message}>
              {last_fault.message}
            </span>
          </Badge>
          <span className="text-quiet">
            <Time at={last_fault.at} />
          </span>
        </span>
      ),
  },
];
