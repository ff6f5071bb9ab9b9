import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useAccountingCurrency } from '../balances/queries.ts';
import { currencies } from '../payments/search.ts';

type Ask = 'coin' | 'price';

const asks: { value: Ask; label: string }[] = [
  { value: 'coin', label: t('In a coin') },
  { value: 'price', label: t('As a price in other money') },
];
const coins = currencies.map((value) => ({ value, label: value }));
const paidIn = [{ value: '', label: t('The customer chooses') }, ...coins];

/** How much is asked: an amount of a coin, or a price that is paid in a coin at the rate of its quote. */
export function AskedFields(): ReactNode {
  const [ask, setAsk] = useState<Ask>('coin');
  const accounting = useAccountingCurrency();
  const isPrice = ask === 'price';
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <Input
        name={isPrice ? 'price' : 'amount'}
        label={t('Amount')}
        inputMode="decimal"
        autoComplete="off"
        required={isPrice}
        help={
          isPrice
            ? t('What the customer pays in a coin follows from the rate of that moment')
            : t('Left empty, the customer of a link says how much')
        }
      />
      <Select
        label={t('How it is asked')}
        value={ask}
        onChange={({ target }) => setAsk(target.value === 'price' ? 'price' : 'coin')}
        choices={asks}
      />
      {isPrice ? (
        <Loaded query={accounting} rows={1}>
          {({ currency, choices }) => (
            <>
              <Select
                name="price_currency"
                label={t('Currency of the price')}
                defaultValue={currency}
                choices={choices.map((value) => ({ value, label: value }))}
              />
              <Select name="currency" label={t('Paid in')} defaultValue="" choices={paidIn} />
            </>
          )}
        </Loaded>
      ) : (
        <Select name="currency" label={t('Currency')} defaultValue={t('USDC')} choices={coins} />
      )}
    </div>
  );
}

/** The fields as the gateway takes them. `amount` is what was typed. */
export function askedOf({ amount = '', price, price_currency, currency = '' }: FormValues) {
  const isPrice = price !== undefined;
  const typed = (price ?? amount).trim();
  const coin = currency === '' ? {} : { currency };
  return {
    isPrice,
    amount: typed,
    asked: isPrice ? { price: { amount: typed, currency: price_currency }, ...coin } : coin,
  };
}
