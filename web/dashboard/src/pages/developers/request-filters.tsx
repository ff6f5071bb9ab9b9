import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { t } from '../../texts/t.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { DevelopersSearch } from './search.ts';

const statuses = [
  { value: '', label: t('All') },
  { value: '2xx', label: t('Succeeded (2xx)') },
  { value: '4xx', label: t('Refused (4xx)') },
  { value: '5xx', label: t('Failed (5xx)') },
];
const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));

/** Filters of the log; each is a part of the address. */
export function RequestFilters({ search }: { search: DevelopersSearch }): ReactNode {
  const navigate = useNavigate();
  const set = (name: keyof DevelopersSearch, value: string) =>
    void navigate({ to: '.', search: changeSearch({ cursor: undefined, open: undefined, [name]: value }) });
  return (
    <fieldset className="grid grid-cols-2 items-end gap-3 lg:grid-cols-6">
      <legend className="sr-only">{t('Filters')}</legend>
      <form
        className="col-span-2 flex items-end gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          const { q } = Object.fromEntries(new FormData(event.currentTarget));
          set('q', typeof q === 'string' ? q.trim() : '');
        }}
      >
        <span className="grid min-w-0 flex-1">
          <Input
            key={search.q ?? ''}
            name="q"
            type="search"
            label={t('Search')}
            defaultValue={search.q ?? ''}
            placeholder={t('Reference, path, error or request ID')}
          />
        </span>
        <IconButton icon={Search} label={t('Search')} type="submit" />
      </form>
      <Select
        label={t('Status')}
        value={search.status ?? ''}
        onChange={(event) => set('status', event.target.value)}
        choices={statuses}
      />
      <Select
        label={t('Method')}
        value={search.method ?? ''}
        onChange={(event) => set('method', event.target.value)}
        choices={[{ value: '', label: t('All') }, ...methods]}
      />
      <Input
        type="date"
        label={t('From')}
        value={search.from ?? ''}
        onChange={(event) => set('from', event.target.value)}
      />
      <Input
        type="date"
        label={t('Until')}
        value={search.to ?? ''}
        onChange={(event) => set('to', event.target.value)}
      />
    </fieldset>
  );
}
