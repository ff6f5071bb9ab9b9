import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Select } from '../../../ui/form/select.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { OwedOverpayments } from './owed-overpayments.tsx';
import { OwedRefunds } from './owed-refunds.tsx';

const kinds = [
  { value: '', label: t('Refunds') },
  { value: 'overpayments', label: t('Overpayments') },
] as const;

/** All that is owed to customers of live payments. */
export function Owed(): ReactNode {
  const [{ kind }, change] = useOperatorSearch();
  const isOverpayments = kind === 'overpayments';
  return (
    <>
      <div className="flex">
        <Select
          label={t('Show')}
          labelHidden
          choices={kinds}
          value={isOverpayments ? 'overpayments' : ''}
          onChange={({ target }) =>
            change({ kind: target.value || undefined, cursor: undefined, open: undefined })
          }
        />
      </div>
      {isOverpayments ? <OwedOverpayments /> : <OwedRefunds />}
    </>
  );
}
