import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { paymentStatuses, statusWord } from '../../../ui/display/status-badge.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { usePaymentTotals } from '../queries.ts';
import { amountPattern, currencies, unusuals, unusualWords } from '../search.ts';
import { useFilters } from './filters.ts';

/** Every filter of the list; its currencies are the coins and those of prices. Choices apply at once; amounts, days and the customer when the form is sent. */
export function FilterPanel({ id }: { id: string }): ReactNode {
  const { search, change } = useFilters();
  const all = usePaymentTotals({});
  const prices = all.data?.prices.map(({ currency }) => currency) ?? [];
  const known = new Set<string>([...currencies, ...prices.sort(), ...(search.currency ?? [])]);
  return (
    <div id={id} className="grid gap-5 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <Pills
        legend={t('Status')}
        choices={paymentStatuses.map((value) => [value, statusWord(value)])}
        chosen={search.status ?? []}
        onChange={(status) => change({ status })}
      />
      <div className="flex flex-wrap gap-x-10 gap-y-5">
        <Pills
          legend={t('Currency')}
          choices={[...known].map((value) => [value, value])}
          chosen={search.currency ?? []}
          onChange={(currency) => change({ currency })}
        />
        <Pills
          legend={t('Unusual')}
          choices={unusuals.map((value) => [value, unusualWords[value]])}
          chosen={search.unusual === undefined ? [] : [search.unusual]}
          onChange={(chosen) => change({ unusual: chosen?.findLast((each) => each !== search.unusual) })}
        />
      </div>
      <Form
        key={JSON.stringify(search)}
        label={t('More filters')}
        className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,2fr)_auto]"
        onSend={async ({ min, max, from, to, customer }) =>
          change({
            min: min || undefined,
            max: max || undefined,
            from: from || undefined,
            to: to || undefined,
            customer: customer?.trim() || undefined,
          })
        }
      >
        <Input label={t('Amount from')} name="min" defaultValue={search.min} {...amountBox} />
        <Input label={t('Amount to')} name="max" defaultValue={search.max} {...amountBox} />
        <Input label={t('Created from')} name="from" type="date" defaultValue={search.from} />
        <Input label={t('Created until')} name="to" type="date" defaultValue={search.to} />
        <Input
          label={t('Customer')}
          name="customer"
          placeholder={t('E-mail or customer reference')}
          defaultValue={search.customer}
          maxLength={255}
          autoComplete="off"
        />
        <SubmitButton variant="quiet">{t('Apply')}</SubmitButton>
      </Form>
    </div>
  );
}

const amountBox = {
  inputMode: 'decimal',
  pattern: amountPattern,
  title: t('A number such as 12.50'),
} as const;

type PillsProps<T extends string> = {
  legend: string;
  choices: readonly (readonly [T, string])[];
  chosen: readonly T[];
  onChange: (chosen: T[] | undefined) => void;
};

/** Choices of which several can be on. */
function Pills<T extends string>({ legend, choices, chosen, onChange }: PillsProps<T>): ReactNode {
  function toggle(value: T): void {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    onChange(next.length === 0 ? undefined : next);
  }
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(([value, word]) => {
          const isChosen = chosen.includes(value);
          return (
            <button
              key={value}
              type="button"
              aria-pressed={isChosen}
              onClick={() => toggle(value)}
              className={clsx(
                'h-8 rounded-lg border px-3 text-sm transition-colors',
                isChosen
                  ? 'border-accent bg-accent-soft font-semibold text-accent-strong'
                  : 'border-line-strong bg-surface hover:bg-sunken',
              )}
            >
              {word}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
