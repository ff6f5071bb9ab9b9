import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../../texts/t.ts';
import { boxClass } from '../../../ui/form/box-class.ts';
import { useFilters } from './filters.ts';

/** Searches payments by any of their identifiers. The key `/` focuses it from anywhere on the page. */
export function SearchBox(): ReactNode {
  const { search, change } = useFilters();
  const box = useRef<HTMLInputElement>(null);
  useSlash(() => box.current?.focus());

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    change({ q: box.current?.value.trim() || undefined });
  }

  return (
    <search className="min-w-0 flex-1 max-sm:basis-full">
      <form onSubmit={send} className="relative">
        <Search size={16} aria-hidden className="pointer-events-none absolute top-3 left-3 text-quiet" />
        <input
          // A search that is cleared elsewhere is cleared here.
          key={search.q ?? ''}
          ref={box}
          type="search"
          name="q"
          defaultValue={search.q}
          maxLength={200}
          placeholder={t('Reference, e-mail, order, address, hash')}
          aria-label={t('Search payments')}
          aria-keyshortcuts="/"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            // The browser's button that clears the box.
            if (event.target.value === '' && search.q !== undefined) change({ q: undefined });
          }}
          className={`${boxClass} h-10 pr-9 pl-9`}
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-2.5 right-3 hidden rounded border border-line px-1.5 font-mono text-sm leading-4.5 text-quiet sm:block"
        >
          /
        </kbd>
      </form>
    </search>
  );
}

function useSlash(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest('input, textarea, select, [contenteditable], [role=dialog]')) return;
      event.preventDefault();
      latest.current();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
