import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { useOperatorSearch } from './use-operator-search.ts';

/** Searches for the typed text by `q` in the address, from the first page of results. */
export function SearchBox({ label, placeholder }: { label: string; placeholder: string }): ReactNode {
  const [{ q }, change] = useOperatorSearch();
  return (
    <Form
      // A box of its own for each search, so that going back shows what was searched then.
      key={q ?? ''}
      label={label}
      className="flex flex-1 basis-full items-end gap-2 sm:max-w-md sm:basis-auto"
      onSend={async ({ q: text }) => change({ q: text?.trim() || undefined, cursor: undefined })}
    >
      <div className="min-w-0 flex-1">
        <Input
          name="q"
          type="search"
          label={label}
          labelHidden
          placeholder={placeholder}
          defaultValue={q}
          maxLength={200}
        />
      </div>
      <Button type="submit">{t('Search')}</Button>
    </Form>
  );
}
