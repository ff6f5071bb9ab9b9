import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { given } from '../../../api/search.ts';
import { t } from '../../../texts/t.ts';
import { type PaymentStatus, statusWord } from '../../../ui/display/status-badge.tsx';
import { type PaymentsSearch, unusualWords } from '../search.ts';
import { tabOf } from './status-tab.ts';

const route = getRouteApi('/shell/i/$integration/$mode/payments');

/** The filters in the address, and a function that changes them. A new filter begins at the first page. */
export function useFilters() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (patch: { [Name in keyof PaymentsSearch]?: PaymentsSearch[Name] | undefined }): void => {
    const next = given({ ...search, cursor: undefined, open: undefined, make: undefined, ...patch });
    void navigate({ to: '.', search: next as never });
  };
  return { search, change };
}

export type Chip = { name: keyof PaymentsSearch; words: string };

const isFilter = (name: string): boolean => !['cursor', 'open', 'make'].includes(name);

/** Whether anything is filtered or searched for. */
export function isFiltered(search: PaymentsSearch): boolean {
  return Object.keys(search).some(isFilter);
}

/** The filters in words; the search has its own box. */
export function chipsOf(search: PaymentsSearch): Chip[] {
  const { status, currency, unusual, min, max, from, to, customer, link } = search;
  const chips: [keyof PaymentsSearch, string | undefined][] = [
    [
      'status',
      tabOf(search) ? undefined : status?.map((each: PaymentStatus) => statusWord(each)).join(` ${t('or')} `),
    ],
    ['currency', currency?.join(` ${t('or')} `)],
    ['unusual', unusual && unusualWords[unusual]],
    ['min', min && t('At least {min}', { min })],
    ['max', max && t('At most {max}', { max })],
    ['from', from && t('From {from}', { from })],
    ['to', to && t('Until {to}', { to })],
    ['customer', customer && t('Customer {customer}', { customer })],
    ['link', link && t('By one payment link')],
  ];
  return chips.flatMap(([name, words]) => (words === undefined ? [] : [{ name, words }]));
}
