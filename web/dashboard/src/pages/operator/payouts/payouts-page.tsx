import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useOperatorAttention } from '../../attention/queries.ts';
import { OperatorTabs } from '../operator-tabs.tsx';
import { ByHand } from './by-hand.tsx';
import { Queue } from './queue.tsx';
import { StopSwitch } from './stop-switch.tsx';
import { Terms } from './terms.tsx';

/** Payouts of the whole installation: what needs an operator, what they cost, and the switch that stops them. */
export function PayoutsPage(): ReactNode {
  const attention = useOperatorAttention(true).data;
  return (
    <>
      <PageHeader title={t('Payouts')} description={t('Money that leaves this installation.')} />
      <StopSwitch />
      <OperatorTabs
        label={t('Payouts')}
        tabs={[
          {
            value: 'attention',
            label: t('Need you'),
            content: <Queue kind="attention" />,
            waits: attention?.payouts,
          },
          { value: 'open', label: t('Under way'), content: <Queue kind="open" /> },
          { value: 'by-hand', label: t('By hand'), content: <ByHand /> },
          { value: 'all', label: t('All'), content: <Queue kind="all" /> },
          { value: 'terms', label: t('Fees and limits'), content: <Terms /> },
        ]}
      />
    </>
  );
}
