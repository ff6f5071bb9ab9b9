import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { KindSelect } from '../kind-select.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { OwedOverpayments } from './owed-overpayments.tsx';
import { OwedRefunds } from './owed-refunds.tsx';

const kinds = [
  { value: '', label: t('Refunds') },
  { value: 'overpayments', label: t('Overpayments') },
] as const;

/** All that is owed to customers of live payments. */
export function Owed(): ReactNode {
  const [{ kind }] = useOperatorSearch();
  return (
    <>
      <KindSelect choices={kinds} />
      {kind === 'overpayments' ? <OwedOverpayments /> : <OwedRefunds />}
    </>
  );
}
