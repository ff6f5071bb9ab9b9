import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { ApprovalBadge } from '../../integrations/approval-badge.tsx';
import { TaskList } from '../../settings/task-list.tsx';
import { DecideDialog, type Decision, decisionsFor } from './decide-dialog.tsx';
import { type ApplicantDetail, useApplicant } from './queries.ts';

/** One integration with its tasks for live mode, and the decisions that are possible in its state. */
export function ApplicantDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const applicant = useApplicant(id);
  const [deciding, setDeciding] = useState<Decision | null>(null);
  const { data } = applicant;
  return (
    <Drawer
      open
      onClose={onClose}
      title={data?.name ?? 'Integration'}
      aside={data && <ApprovalBadge approval={data.approval} />}
      footer={
        data &&
        decisionsFor(data.approval).map((decision) => (
          <Button
            key={decision.act}
            variant={decision.danger ? 'danger' : 'primary'}
            onClick={() => setDeciding(decision)}
          >
            {decision.label}
          </Button>
        ))
      }
    >
      {applicant.isPending && <SkeletonRows rows={4} />}
      {applicant.isError && <ErrorState error={applicant.error} onRetry={() => void applicant.refetch()} />}
      {data && <Facts applicant={data} />}
      {data && <DecideDialog applicant={data} decision={deciding} onClose={() => setDeciding(null)} />}
    </Drawer>
  );
}

function Facts({ applicant }: { applicant: ApplicantDetail }): ReactNode {
  const { merchant, domain, domain_verified, requested_at, decided_at, reason, tasks, volume } = applicant;
  return (
    <>
      <DefinitionList
        facts={[
          ['Business', merchant?.name ?? 'None: it was made on the command line'],
          ['Domain', domain && `${domain} (${domain_verified ? 'verified' : 'not verified'})`],
          ['Requested', requested_at && <Time key="asked" at={requested_at} exact />],
          ['Decided', decided_at && <Time key="decided" at={decided_at} exact />],
          ['Reason', reason],
          ['Integration', <Id key="id" text={applicant.id} what="the integration's id" />],
        ]}
      />
      <Section title="Tasks for live mode">
        <TaskList tasks={tasks} />
      </Section>
      <Section title="Completed in the last 30 days">
        {volume.length === 0 ? (
          <p className="text-sm text-quiet">No payment was completed.</p>
        ) : (
          <ul className="grid gap-1.5 text-sm">
            {volume.map(({ mode, currency, payments, amount }) => (
              <li key={`${mode} ${currency}`} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  {mode === 'live' ? 'Live' : 'Test'}: {payments} {payments === '1' ? 'payment' : 'payments'}
                </span>
                <Money amount={amount} currency={currency} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
