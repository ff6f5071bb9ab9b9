import type { ReactNode } from 'react';
import type { Approval } from '../../../api/session.ts';
import { t } from '../../../texts/t.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useOperatorAttention } from '../../attention/queries.ts';
import { OperatorTabs } from '../operator-tabs.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { ApplicantDrawer } from './applicant-drawer.tsx';
import { Applicants } from './applicants.tsx';

const states: { value: Approval; label: string; empty: string }[] = [
  {
    value: 'requested',
    label: t('Waiting'),
    empty: t('No request is waiting. A merchant asks for live mode under Settings, Going live.'),
  },
  { value: 'approved', label: t('Live'), empty: t('No integration is live yet.') },
  {
    value: 'suspended',
    label: t('Suspended'),
    empty: t('No integration is suspended. You can suspend a live one in its details.'),
  },
  {
    value: 'rejected',
    label: t('Rejected'),
    empty: t('No request was rejected. A rejected merchant may ask again.'),
  },
  { value: 'none', label: t('Not live'), empty: t('Every integration has asked for live mode.') },
];

/** Which integrations may take live payments: their tasks, and the operator's decisions. */
export function ApprovalsPage(): ReactNode {
  const [{ open }, change] = useOperatorSearch();
  const attention = useOperatorAttention(true).data;
  return (
    <>
      <PageHeader
        title={t('Approvals')}
        description={t(
          'Which integrations may take live payments. A decision applies from their next API call.',
        )}
      />
      <OperatorTabs
        label={t('State of live mode')}
        tabs={states.map(({ value, label, empty }) => ({
          value,
          label,
          content: <Applicants status={value} empty={empty} />,
          ...(value === 'requested' && { waits: attention?.approvals }),
        }))}
      />
      {open !== undefined && <ApplicantDrawer id={open} onClose={() => change({ open: undefined })} />}
    </>
  );
}
