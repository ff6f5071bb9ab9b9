import { type ReactNode, useState } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
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
      title={data?.name ?? t('Integration')}
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
      <Loaded query={applicant}>
        {(found) => (
          <>
            <Facts applicant={found} />
            <DecideDialog applicant={found} decision={deciding} onClose={() => setDeciding(null)} />
          </>
        )}
      </Loaded>
    </Drawer>
  );
}

function Facts({ applicant }: { applicant: ApplicantDetail }): ReactNode {
  const { merchant, domain, domain_verified, requested_at, decided_at, reason, tasks, volume } = applicant;
  return (
    <>
      <DefinitionList
        facts={[
          [t('Business'), merchant?.name ?? t('None: it was created on the command line')],
          [t('Domain'), domain && `${domain} (${domain_verified ? t('verified') : t('not verified')})`],
          [t('Requested'), requested_at && <Time key="asked" at={requested_at} exact />],
          [t('Decided'), decided_at && <Time key="decided" at={decided_at} exact />],
          [t('Reason'), reason],
          [t('Integration'), <Id key="id" text={applicant.id} what={t("the integration's id")} />],
        ]}
      />
      <Section title={t('Tasks for live mode')}>
        <TaskList tasks={tasks} />
      </Section>
      <Section title={t('Completed in the last 30 days')}>
        {volume.length === 0 ? (
          <p className="text-sm text-quiet">{t('No payment was completed.')}</p>
        ) : (
          <ul className="grid gap-1.5 text-sm">
            {volume.map(({ mode, currency, payments, amount }) => (
              <li key={`${mode} ${currency}`} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  {mode === 'live' ? t('Live') : t('Test')}:{' '}
                  {counted(Number(payments), '1 payment', '{figure} payments', { figure: payments })}
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
