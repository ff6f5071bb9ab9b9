import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { WaitingMark } from './waiting-mark.tsx';

export type Tab<T extends string> = {
  value: T;
  label: ReactNode;
  content: ReactNode;
  /** How much behind it waits for a person. */
  waits?: number | undefined;
};

export type TabsProps<T extends string> = {
  tabs: readonly Tab<T>[];
  /** Kept by the page in its search, so that an address leads to its tab. */
  value: T;
  onChange: (value: T) => void;
  label: string;
};

/** A few views of one page. Only the open one is rendered. */
export function Tabs<T extends string>({ tabs, value, onChange, label }: TabsProps<T>): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the list of tabs scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open has changed
  useEffect(() => {
    const open = list.current?.querySelector('[data-state=active]');
    open?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as T)} className="grid min-w-0 gap-5">
      <Radix.List
        ref={list}
        aria-label={label}
        className="relative flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex items-center gap-2 border-b-2 border-transparent px-3 py-2.5 text-sm font-semibold whitespace-nowrap text-quiet -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label} <WaitingMark count={tab.waits} />
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          tabIndex={-1}
          className="grid min-w-0 gap-6 outline-none"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
