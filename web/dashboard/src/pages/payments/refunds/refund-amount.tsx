import type { ReactNode } from 'react';
import { amountText, assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { convertedOf } from './effect.ts';
import type { Refundable, RefundPrice } from './queries.ts';

/** What was typed, and whether it is a part of the price in place of an amount of the asset. */
export type AmountTyped = { text: string; isOfPrice: boolean };

type Props = {
  item: Refundable;
  /** Null: the asset does not pay a price. */
  price: RefundPrice | null;
  typed: AmountTyped;
  onChange: (typed: AmountTyped) => void;
};

/** How much is refunded: of the asset, or of the price at the rate of the payment. */
export function RefundAmount({ item, price, typed, onChange }: Props): ReactNode {
  const asset = assetName(item.asset);
  const part = price !== null && typed.isOfPrice ? price : null;
  return (
    <>
      {price !== null && (
        <Select
          label={t('The amount is given in')}
          value={part ? 'price' : 'asset'}
          onChange={({ target }) => onChange({ text: '', isOfPrice: target.value === 'price' })}
          choices={[
            { value: 'asset', label: asset },
            { value: 'price', label: price.currency },
          ]}
        />
      )}
      <Input
        name={part ? 'price_amount' : 'amount'}
        label={t('Amount in {asset}', { asset: part ? part.currency : asset })}
        help={t('At most {amount}.', {
          amount: `${amountText(item.amount)}${part ? ` ${part.paid_currency}` : ''}`,
        })}
        inputMode="decimal"
        autoComplete="off"
        required
        value={typed.text}
        onChange={({ target }) => onChange({ ...typed, text: target.value })}
      />
      {part && (
        <p role="status" className="text-sm text-pretty wrap-anywhere empty:hidden">
          {conversionText(typed.text.trim(), part, item)}
        </p>
      )}
    </>
  );
}

/** What is sent for a part of the price, beside what it is worth today. */
function conversionText(part: string, price: RefundPrice, item: Refundable): string {
  const converted = convertedOf(part, price, item);
  if (converted === null) return '';
  const words = {
    ...{ part: amountText(part, price.currency), currency: price.currency },
    ...{ amount: amountText(converted.amount), coin: price.paid_currency },
  };
  return converted.today === null
    ? t('{part} {currency} = {amount} {coin} at the rate of the payment. There is no rate today.', words)
    : t('{part} {currency} = {amount} {coin} at the rate of the payment, {today} today.', {
        ...words,
        today: amountText(converted.today),
      });
}
