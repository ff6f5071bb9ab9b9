import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { type Pair, type RatePair, type Rates, ratesPath, typeRate } from './queries.ts';

const mostDays = 30;

/** Asks for a rate and its end; without a pair also for that. */
export function TypeRateDialog({
  pair,
  rates: { minimums, price_currencies },
  onClose,
}: {
  pair: Pair | null;
  rates: Rates;
  onClose: () => void;
}): ReactNode {
  return (
    <FormDialog
      onClose={onClose}
      title={
        pair
          ? t('Type the rate of {pair}', { pair: `${pair.currency}/${pair.price_currency}` })
          : t('Type a rate')
      }
      description={t(
        'It decides what money is worth: until its end all new payments of the pair follow it, whatever sources say.',
      )}
      action={t('Type the rate')}
      changes={[ratesPath]}
      onSend={async ({ currency = '', price_currency = '', rate = '', days = '' }) => {
        const of = pair ?? { currency: currency as RatePair['currency'], price_currency };
        const outcome = await typeRate(of, { rate: rate.trim(), days: Number.parseInt(days, 10) });
        return outcomeWords(outcome, t('New payments follow the typed rate.'));
      }}
    >
      {pair === null && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            name="currency"
            label={t('Currency')}
            choices={minimums.map(({ currency }) => ({ value: currency, label: currency }))}
          />
          <Select
            name="price_currency"
            label={t('Price currency')}
            defaultValue="USD"
            choices={price_currencies.map((value) => ({ value, label: value }))}
          />
        </div>
      )}
      <Input
        name="rate"
        label={t('Rate')}
        help={t('Units of the price currency for one coin, such as 0.42.')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        required
      />
      <Input
        name="days"
        label={t('Days until it ends')}
        help={t('{most} at most.', { most: mostDays })}
        type="number"
        min={1}
        max={mostDays}
        defaultValue="7"
        required
      />
    </FormDialog>
  );
}
