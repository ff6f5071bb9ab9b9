import { type ReactNode, useState } from 'react';
import { t } from '../../../texts/t.ts';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import type { FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { useAccountingCurrency } from '../../balances/queries.ts';
import { amountPattern, currencies } from '../search.ts';

type Ask = 'coin' | 'price';

const asks: { value: Ask; label: string }[] = [
  { value: 'coin', label: t('In a coin') },
  { value: 'price', label: t('As a price in other money') },
];
const coins = currencies.map((value) => ({ value, label: value }));
const paidIn = [{ value: '', label: t('The customer chooses') }, ...coins];

/**
 * How much is asked: an amount of a coin, or a price that is paid in a coin at the rate of its quote. An amount of a coin
 * may be empty where the customer says it.
 */
export function AskedFields({ mayBeEmpty = false }: { mayBeEmpty?: boolean }): ReactNode {
  const [ask, setAsk] = useState<Ask>('coin');
  const accounting = useAccountingCurrency();
  const isPrice = ask === 'price';
  const isRequired = isPrice || !mayBeEmpty;
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <Input
        name={isPrice ? 'price' : 'amount'}
        label={t('Amount')}
        inputMode="decimal"
        autoComplete="off"
        pattern={amountPattern}
        data-wrong={t('Write a decimal number, such as 100 or 0.5.')}
        required={isRequired}
        help={helpOf(isPrice, isRequired)}
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
        <Select name="currency" label={t('Currency')} defaultValue="USDC" choices={coins} />
      )}
    </div>
  );
}

function helpOf(isPrice: boolean, isRequired: boolean): string {
  if (isPrice) return t('Required. What the customer pays in a coin follows from the rate of that moment.');
  return isRequired
    ? t('Required, such as 25 or 9.90.')
    : t('Left empty, the customer of a link says how much');
}

/** What is asked, as it was typed and as the gateway takes it. */
export type Asked = {
  /** A decimal number; empty where the customer says it. */
  amount: string;
  /** Of the amount: a coin, or the currency of the price. */
  currency: string;
  isPrice: boolean;
  /** The fields of a call besides the amount of a coin. */
  asked: object;
};

export function askedOf({ amount = '', price, price_currency = '', currency = '' }: FormValues): Asked {
  const isPrice = price !== undefined;
  const typed = (price ?? amount).trim();
  const coin = currency === '' ? {} : { currency };
  return {
    ...{ isPrice, amount: typed, currency: isPrice ? price_currency : currency },
    asked: isPrice ? { price: { amount: typed, currency: price_currency }, ...coin } : coin,
  };
}
