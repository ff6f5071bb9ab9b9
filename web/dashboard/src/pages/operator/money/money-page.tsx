import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useOperatorAttention } from '../../attention/queries.ts';
import { Moves } from '../moves/moves.tsx';
import { OperatorTabs } from '../operator-tabs.tsx';
import { OtherCoins } from '../other-coins/other-coins.tsx';
import { Sweeps } from '../sweeps/sweeps.tsx';
import { Deposits } from '../unmatched/deposits.tsx';
import { Fees } from './fees.tsx';
import { LedgerAudits } from './ledger-audits.tsx';
import { Owed } from './owed.tsx';
import { Receivables } from './receivables.tsx';
import { Reserves } from './reserves.tsx';
import { Suspense } from './suspense.tsx';
import { Totals } from './totals.tsx';
import { TreasuryAndVault } from './treasury-and-vault.tsx';

/**
 * The whole installation's money: totals, reserves, treasury and vault, sweeps, fees, suspense, unmatched deposits, coins that are not
 * taken, what left without an order, receivables, what is owed to customers, and audits.
 */
export function MoneyPage(): ReactNode {
  const attention = useOperatorAttention(true).data;
  return (
    <>
      <PageHeader title={t('Money')} description={t('All that the ledger of this installation holds.')} />
      <OperatorTabs
        label={t('Money')}
        tabs={[
          { value: 'totals', label: t('Totals'), content: <Totals /> },
          { value: 'reserves', label: t('Reserves'), content: <Reserves /> },
          { value: 'vault', label: t('Treasury and vault'), content: <TreasuryAndVault /> },
          { value: 'sweeps', label: t('Sweeps'), content: <Sweeps /> },
          { value: 'fees', label: t('Fees'), content: <Fees /> },
          { value: 'suspense', label: t('Suspense'), content: <Suspense /> },
          {
            value: 'strays',
            label: t('Unmatched deposits'),
            content: <Deposits />,
            waits: attention?.unmatched,
          },
          { value: 'other-coins', label: t('Coins not taken'), content: <OtherCoins /> },
          {
            value: 'unordered',
            label: t('Without an order'),
            content: <Moves />,
            waits: attention?.moves,
          },
          { value: 'receivables', label: t('Receivables'), content: <Receivables /> },
          { value: 'owed', label: t('Owed to customers'), content: <Owed /> },
          { value: 'audit', label: t('Audit'), content: <LedgerAudits /> },
        ]}
      />
    </>
  );
}
