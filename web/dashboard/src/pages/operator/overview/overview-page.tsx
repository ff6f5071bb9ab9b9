import {
  ArrowUpRight,
  BadgeCheck,
  BanknoteArrowUp,
  CircleHelp,
  DatabaseBackup,
  HeartPulse,
  ListChecks,
  Scale,
  TriangleAlert,
  UserCheck,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { type Need, NeedsList } from '../../attention/needs-list.tsx';
import { type OperatorAttention, useOperatorAttention } from '../../attention/queries.ts';
import { useProcesses, useRails, useWebhookQueue } from '../health/queries.ts';
import { Business } from './business.tsx';
import { HealthNow } from './health-now.tsx';
import { useOperatorOverview } from './queries.ts';

/** An operator's first page: what waits, whether everything runs, and how the installation earns. */
export function OperatorOverviewPage(): ReactNode {
  const attention = useOperatorAttention(true);
  const overview = useOperatorOverview();
  const [rails, processes, queue] = [useRails(), useProcesses(), useWebhookQueue()];
  const reads = [attention, overview, rails, processes, queue];
  const error = reads.find((read) => read.error && read.data === undefined)?.error;
  return (
    <>
      <PageHeader
        title={t('Overview')}
        description={t('The whole installation. Figures are of live mode.')}
      />
      {error ? (
        <ErrorState error={error} onRetry={() => void Promise.all(reads.map((read) => read.refetch()))} />
      ) : attention.data && overview.data && rails.data && processes.data && queue.data ? (
        <>
          <NeedsList needs={needsOf(attention.data)} countedUpTo={attention.data.counted_up_to} />
          <HealthNow rails={rails.data.items} processes={processes.data.items} queue={queue.data.live} />
          <Business overview={overview.data} />
        </>
      ) : (
        <div role="status" className="grid gap-6">
          <span className="sr-only">{t('Loading')}</span>
          <Skeleton className="h-12 rounded-xl" />
          <Skeleton className="h-28 rounded-xl" />
          <Skeleton className="h-28 rounded-xl" />
        </div>
      )}
    </>
  );
}

/** What waits in live mode, and then, apart from it, what waits in test mode. */
function needsOf(attention: OperatorAttention): Need[] {
  return [
    ...ofInstallation(attention),
    ...ofMode(attention),
    ...ofMode(attention.test).map((need) => ({ ...need, isTest: true })),
  ];
}

function ofInstallation(attention: OperatorAttention): Need[] {
  return [
    {
      count: attention.setup_steps,
      words: [t('step of setting up is open'), t('steps of setting up are open')],
      icon: ListChecks,
      to: { to: '/operator/setup' },
    },
    {
      count: attention.approvals,
      words: [t('integration asks for live mode'), t('integrations ask for live mode')],
      icon: BadgeCheck,
      to: { to: '/operator/approvals' },
    },
    {
      count: attention.proposals,
      words: [t('proposal waits for another operator'), t('proposals wait for another operator')],
      icon: UserCheck,
      to: { to: '/operator/proposals' },
    },
    {
      count: attention.rates,
      words: [t('rate is missing or far from its dollar'), t('rates are missing or far from their dollar')],
      icon: TriangleAlert,
      to: { to: '/operator/currencies' },
    },
    {
      count: attention.faults,
      words: [t('fault was found by the doctor'), t('faults were found by the doctor')],
      icon: HeartPulse,
      to: { to: '/operator/health', search: { tab: 'doctor' } },
    },
    {
      count: attention.backups,
      words: [t('fault of backups'), t('faults of backups')],
      icon: DatabaseBackup,
      to: { to: '/operator/backups' },
    },
  ];
}

function ofMode(attention: OperatorAttention['test']): Need[] {
  return [
    {
      count: attention.unmatched,
      words: [t('deposit names no payment'), t('deposits name no payment')],
      icon: CircleHelp,
      to: { to: '/operator/money', search: { tab: 'strays' } },
    },
    {
      count: attention.moves,
      words: [t('transfer left without an order'), t('transfers left without an order')],
      icon: ArrowUpRight,
      to: { to: '/operator/money', search: { tab: 'unordered' } },
    },
    {
      count: attention.payouts,
      words: [t('payout needs an operator'), t('payouts need an operator')],
      icon: BanknoteArrowUp,
      to: { to: '/operator/payouts' },
    },
    {
      count: attention.appeals,
      words: [t('appeal is open'), t('appeals are open')],
      icon: Scale,
      to: { to: '/operator/appeals' },
    },
    {
      count: attention.deliveries,
      words: [t('webhook failed for good'), t('webhooks failed for good')],
      icon: Webhook,
      to: { to: '/operator/health', search: { tab: 'deliveries' } },
    },
  ];
}
