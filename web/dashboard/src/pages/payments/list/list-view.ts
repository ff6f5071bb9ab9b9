import { useSyncExternalStore } from 'react';
import { given, type RawSearch } from '../../../api/search.ts';
import { t } from '../../../texts/t.ts';
import { type PaymentsSearch, readPaymentsSearch } from '../search.ts';

// How this person likes the list of payments, kept in the browser: which columns, and filters by a name.

export const optionalColumns = ['customer', 'reference', 'created', 'fee', 'note', 'deadline'] as const;
export type OptionalColumn = (typeof optionalColumns)[number];
export const columnWords: Record<OptionalColumn, string> = {
  customer: t('Customer'),
  reference: t('Reference'),
  created: t('Created'),
  fee: t('Fee'),
  note: t('Note'),
  deadline: t('Deadline'),
};

type SavedView = { name: string; search: PaymentsSearch };
type ListView = { columns: readonly OptionalColumn[]; views: readonly SavedView[] };

const storedUnder = 'florin.payments';
const usual: ListView = { columns: ['customer', 'reference', 'created'], views: [] };
const mostViews = 20;

const listeners = new Set<() => void>();
let current = read();

/** What somebody stored may be of another version, or changed by hand: only what fits is taken. */
function read(): ListView {
  try {
    const stored = JSON.parse(localStorage.getItem(storedUnder) ?? '{}') as Record<string, unknown>;
    const { columns, views } = stored;
    return {
      columns: Array.isArray(columns)
        ? optionalColumns.filter((name) => columns.includes(name))
        : usual.columns,
      views: Array.isArray(views) ? views.flatMap(viewOf).slice(0, mostViews) : [],
    };
  } catch {
    return usual;
  }
}

function viewOf(stored: { name?: unknown; search?: unknown } | null): SavedView[] {
  if (typeof stored?.name !== 'string' || typeof stored.search !== 'object') return [];
  return [{ name: stored.name, search: kept(readPaymentsSearch(stored.search as RawSearch)) }];
}

/** What a view remembers: no person's name or address is left in the browser, and no place in the list. */
function kept({ status, currency, unusual, min, max, from, to, link }: PaymentsSearch): PaymentsSearch {
  return given({ status, currency, unusual, min, max, from, to, link });
}

function change(next: ListView): void {
  current = next;
  try {
    localStorage.setItem(storedUnder, JSON.stringify(next));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function useListView(): ListView {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

export function toggleColumn(name: OptionalColumn): void {
  const { columns } = current;
  const next = columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name];
  change({ ...current, columns: optionalColumns.filter((each) => next.includes(each)) });
}

/** Keeps the filters under a name; one of the same name is replaced. */
export function saveView(name: string, search: PaymentsSearch): void {
  const others = current.views.filter((view) => view.name !== name);
  change({ ...current, views: [...others, { name, search: kept(search) }].slice(-mostViews) });
}

export function removeView(name: string): void {
  change({ ...current, views: current.views.filter((view) => view.name !== name) });
}
