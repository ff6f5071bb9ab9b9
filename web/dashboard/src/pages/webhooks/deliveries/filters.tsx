import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { changeSearch } from '../../../api/change-search.ts';
import { t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { deliveryStatuses } from '../types/delivery.ts';
import type { Endpoint } from '../types/endpoint.ts';
import { eventTypes } from '../types/event-types.ts';
import { deliveryWord } from './status.tsx';

const route = getRouteApi('/shell/i/$integration/$mode/webhooks');

const anyOutcome = { value: '', label: t('All') };
const anyEvent = { value: '', label: t('All') };
const anyEndpoint = { value: '', label: t('All') };

/** The filters of the deliveries, which live in the address. Each list acts at once; the reference when it is sent. */
export function DeliveryFilters({ endpoints }: { endpoints: readonly Endpoint[] }): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate();

  function filter(change: Record<string, string>): void {
    // A cursor is good for the filters that it was made under.
    void navigate({ to: '.', search: changeSearch({ ...change, cursor: undefined, tab: 'deliveries' }) });
  }

  function find(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    filter({ reference: `${new FormData(event.currentTarget).get('reference') ?? ''}`.trim() });
  }

  const { endpoint, status, type, reference, since, until } = search;
  const isFiltered = [endpoint, status, type, reference, since, until].some((value) => value !== undefined);
  return (
    <search className="grid gap-3">
      <form onSubmit={find} className="flex max-w-2xl gap-2">
        <div className="min-w-0 flex-1">
          <Input
            label={t('A payment’s or payout’s reference')}
            labelHidden
            name="reference"
            code
            maxLength={255}
            placeholder={t('Paste a reference of a payment or payout to see its webhooks')}
            defaultValue={reference}
          />
        </div>
        <Button type="submit">
          <Search size={16} aria-hidden /> {t('Find')}
        </Button>
      </form>
      <div className="flex flex-wrap items-end gap-2 *:max-sm:flex-1 *:max-sm:basis-36">
        <Select
          label={t('Outcome')}
          choices={[anyOutcome, ...deliveryStatuses.map((value) => ({ value, label: deliveryWord(value) }))]}
          value={status ?? ''}
          onChange={(event) => filter({ status: event.target.value })}
        />
        <Select
          label={t('Event')}
          choices={[anyEvent, ...eventTypes.map((value) => ({ value, label: value }))]}
          value={type ?? ''}
          onChange={(event) => filter({ type: event.target.value })}
        />
        <Select
          label={t('Endpoint')}
          choices={[anyEndpoint, ...endpointChoices(endpoints, endpoint)]}
          value={endpoint ?? ''}
          onChange={(event) => filter({ endpoint: event.target.value })}
          className="sm:max-w-56"
        />
        <Input
          label={t('From')}
          type="date"
          title={t('From this day on')}
          value={since ?? ''}
          onChange={(event) => filter({ since: event.target.value })}
        />
        <Input
          label={t('Until')}
          type="date"
          title={t('Up to and with this day')}
          value={until ?? ''}
          onChange={(event) => filter({ until: event.target.value })}
        />
        {isFiltered && (
          <Link to="." search={{ tab: 'deliveries' }} className={buttonClass('plain')}>
            <X size={16} aria-hidden /> {t('Clear')}
          </Link>
        )}
      </div>
    </search>
  );
}

/** A removed endpoint that the address names keeps its place in the list. */
function endpointChoices(endpoints: readonly Endpoint[], chosen: string | undefined) {
  const known = endpoints.map(({ id, url }) => ({ value: id, label: url.replace(/^https?:\/\//, '') }));
  if (chosen === undefined || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: t('A removed endpoint') }];
}
