import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { feeWords } from './fee-words.ts';
import { type ApprovalState, useApproval } from './queries.ts';
import { TaskList } from './task-list.tsx';

/** The way to live mode: the open tasks, the request, and the operator's decision. */
export function LiveTab(): ReactNode {
  const approval = useApproval();
  if (approval.isPending) return <SkeletonRows />;
  if (approval.isError) return <ErrorState error={approval.error} onRetry={() => void approval.refetch()} />;
  const isDecided = approval.data.status === 'approved' || approval.data.status === 'suspended';
  return (
    <>
      <State state={approval.data} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card title={isDecided ? t('Tasks before live mode') : t('Before live mode')}>
          <TaskList tasks={approval.data.tasks} />
          {!isDecided && <Ask state={approval.data} />}
        </Card>
        <FeeCard state={approval.data} />
      </div>
    </>
  );
}

function State({ state: { status, reason, requested_at, decided_at } }: { state: ApprovalState }): ReactNode {
  const { integrationId } = useScope();
  const params = { integration: integrationId, mode: 'live' } as const;
  switch (status) {
    case 'none':
      return (
        <Banner title={t('This integration takes only test payments')}>
          {t('Do the tasks below, then ask for live mode. An operator decides.')}
        </Banner>
      );
    case 'requested':
      return (
        <Banner tone="waiting" title={t('An operator is checking your request')}>
          {rich('You asked {time}. We write to the owners as soon as it is decided.', {
            time: <Time at={requested_at} />,
          })}
        </Banner>
      );
    case 'approved':
      return (
        <Banner
          tone="paid"
          title={t('Live mode is on')}
          action={
            <Link
              to="/i/$integration/$mode/settings"
              params={params}
              search={{ tab: 'keys' }}
              className={buttonClass()}
            >
              {t('Live keys')}
            </Link>
          }
        >
          {decided_at !== null && <>{rich('Approved {time}.', { time: <Time at={decided_at} /> })} </>}
          {t('Payments with the live key move real money.')}
        </Banner>
      );
    case 'rejected':
      return (
        <Banner tone="lost" title={t('Live mode was not approved')} role="status">
          <p>{rich('The operator says: {reason}', { reason })}</p>
          <p>{t('Correct this, and ask again.')}</p>
        </Banner>
      );
    case 'suspended':
      return (
        <Banner tone="lost" title={t('Live mode is suspended')} role="status">
          {reason !== null && <p>{t('The operator says: {reason}', { reason })}</p>}
          <p>{t('New live payments are refused. Existing ones continue as usual, and no money is lost.')}</p>
        </Banner>
      );
  }
}

function Ask({ state: { status, tasks } }: { state: ApprovalState }): ReactNode {
  const { integrationPath } = useScope();
  const may = useMay('manage integrations');
  const ask = useAct(() => api(integrationPath('/approval/request'), { body: {} }), {
    changes: [integrationPath(''), 'session'],
    done: t('Live mode requested'),
  });
  const needed = tasks.filter(({ optional }) => !optional);
  const open = needed.filter(({ done }) => !done).length;
  const why = !may
    ? t('Your role may not ask for live mode. Owners and developers may.')
    : open > 0
      ? t('{open} of {total} still to do.', { open, total: needed.length })
      : t('Everything is done.');
  if (status === 'requested') return null;
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
      <Button
        variant="primary"
        disabled={!may || open > 0}
        pending={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {t('Ask for live mode')}
      </Button>
      <p className="text-sm text-quiet">{why}</p>
    </div>
  );
}

function FeeCard({ state: { fee, tasks } }: { state: ApprovalState }): ReactNode {
  const { integrationPath } = useScope();
  const may = useMay('manage integrations');
  const accept = useAct(() => api(integrationPath('/approval/accept-fee'), { body: {} }), {
    changes: [integrationPath('')],
    done: t('Noted'),
  });
  const isAccepted = tasks.some(({ slug, done }) => slug === 'fee' && done);
  return (
    <Card title={t('What a live payment costs')}>
      <p className="text-base font-semibold">{feeWords(fee)}</p>
      <p className="text-sm text-quiet">
        {t(
          'It is fixed when a payment is created, and taken in the payment’s currency when it completes. Payments that do not complete cost nothing.',
        )}
      </p>
      {isAccepted ? (
        <p className="text-sm font-semibold text-paid">{t('Accepted by your business.')}</p>
      ) : (
        may && (
          <div>
            <Button pending={accept.isPending} onClick={() => accept.mutate()}>
              {t('We understand and accept it')}
            </Button>
          </div>
        )
      )}
    </Card>
  );
}
