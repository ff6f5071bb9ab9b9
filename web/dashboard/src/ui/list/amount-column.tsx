import { t } from '../../texts/t.ts';
import { Money } from '../display/money.tsx';
import type { Column } from '../display/table.tsx';

/** The column of what a row moves or holds, in its asset. `wraps`: on a phone, beside other columns. */
export function amountColumn<Row extends { amount: string; asset: string }>({
  head = t('Amount'),
  wraps = false,
} = {}): Column<Row> {
  return {
    key: 'amount',
    head,
    align: 'end',
    amounts: ({ amount }) => [amount],
    ...(wraps && { className: 'max-sm:min-w-44' }),
    cell: ({ amount, asset }) => (
      <Money amount={amount} currency={asset} {...(wraps && { className: 'max-sm:whitespace-normal' })} />
    ),
  };
}
