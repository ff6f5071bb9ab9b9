import type { ReactNode } from 'react';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { Deposits } from '../unmatched/deposits.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { LedgerAudits } from './ledger-audits.tsx';
import { OwedRefunds } from './owed-refunds.tsx';
import { Receivables } from './receivables.tsx';
import { Suspense } from './suspense.tsx';
import { Totals } from './totals.tsx';

const tabNames = ['totals', 'suspense', 'strays', 'receivables', 'owed', 'audit'] as const;

/** The whole installation's money: totals, suspense, unmatched deposits, receivables, refunds and audits. */
export function MoneyPage(): ReactNode {
  const [{ tab }, change] = useOperatorSearch();
  return (
    <>
      <PageHeader title="Money" description="All that the ledger of this installation holds." />
      <Tabs
        label="Money"
        value={tabNames.find((name) => name === tab) ?? 'totals'}
        onChange={(next) => change({ tab: next, cursor: undefined, open: undefined, kind: undefined })}
        tabs={[
          { value: 'totals', label: 'Totals', content: <Totals /> },
          { value: 'suspense', label: 'Suspense', content: <Suspense /> },
          { value: 'strays', label: 'Unmatched deposits', content: <Deposits /> },
          { value: 'receivables', label: 'Receivables', content: <Receivables /> },
          { value: 'owed', label: 'Owed to customers', content: <OwedRefunds /> },
          { value: 'audit', label: 'Ledger audit', content: <LedgerAudits /> },
        ]}
      />
    </>
  );
}
