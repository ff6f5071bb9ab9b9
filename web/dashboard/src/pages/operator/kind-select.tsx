import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { type Choice, Select } from '../../ui/form/select.tsx';
import { useOperatorSearch } from './use-operator-search.ts';

/** Chooses what a list shows, by `kind` in the address; the choice without a value is the first one that is shown. */
export function KindSelect({ choices }: { choices: readonly Choice[] }): ReactNode {
  const [{ kind }, change] = useOperatorSearch();
  return (
    <div className="flex">
      <Select
        label={t('Show')}
        labelHidden
        choices={choices}
        value={choices.find(({ value }) => value === kind)?.value ?? ''}
        onChange={({ target }) =>
          change({ kind: target.value || undefined, cursor: undefined, open: undefined })
        }
      />
    </div>
  );
}
