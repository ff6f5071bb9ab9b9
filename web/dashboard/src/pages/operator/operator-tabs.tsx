import type { ReactNode } from 'react';
import { type Tab, Tabs } from '../../ui/layout/tabs.tsx';
import { useOperatorSearch } from './use-operator-search.ts';

/** Views of an operator's page, by `tab` in the address; the first one is open at first. Each begins with its newest rows. */
export function OperatorTabs({ label, tabs }: { label: string; tabs: readonly Tab<string>[] }): ReactNode {
  const [{ tab }, change] = useOperatorSearch();
  return (
    <Tabs
      label={label}
      value={tabs.find(({ value }) => value === tab)?.value ?? tabs[0]?.value ?? ''}
      onChange={(next) => change({ tab: next, cursor: undefined, kind: undefined, open: undefined })}
      tabs={tabs}
    />
  );
}
