import { type ReactNode, useRef } from 'react';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { groupDigits } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { type Fee, type FeeOrder, feePaths } from './queries.ts';

/** Asks how much of the fees goes where. What was sent cannot be taken back. */
export function FeeDialog({
  fee: { asset, currency, network, earned },
  onSend,
  onClose,
}: {
  fee: Fee;
  /** Orders it, and answers what the toast says. */
  onSend: (order: FeeOrder, idempotencyKey: string) => Promise<string>;
  onClose: () => void;
}): ReactNode {
  const sent = useRef({ text: '', key: '' });
  /** The same order has the same key, however often it is sent. */
  function keyOf(order: FeeOrder): string {
    const text = JSON.stringify(order);
    if (sent.current.text !== text) sent.current = { text, key: newIdempotencyKey() };
    return sent.current.key;
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('Withdraw fees in {currency}', { currency: currency ?? asset })}
      description={t('{earned} can be withdrawn, on {network}. What was sent cannot be taken back.', {
        earned: groupDigits(earned),
        network: network ?? asset,
      })}
      action={t('Withdraw')}
      changes={feePaths}
      onSend={({ amount = '', to = '', memo = '' }) => {
        const order = { asset, amount: amount.trim(), to: to.trim(), ...(memo === '' ? {} : { memo }) };
        return onSend(order, keyOf(order));
      }}
    >
      <Input
        name="amount"
        label={t('Amount in {currency}', { currency: currency ?? asset })}
        defaultValue={earned}
        required
        maxLength={60}
        autoComplete="off"
      />
      <Input name="to" label={t('Address')} required maxLength={200} autoComplete="off" code />
      {asset === 'pi' && (
        <Input name="memo" label={t('Memo')} required={false} maxLength={28} autoComplete="off" />
      )}
    </FormDialog>
  );
}
