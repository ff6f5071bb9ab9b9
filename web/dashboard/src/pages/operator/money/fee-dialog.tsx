import { type ReactNode, useRef, useState } from 'react';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { amountText } from '../../../format/amount.ts';
import { minus } from '../../../format/decimals.ts';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
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
  const [amount, setAmount] = useState(earned);
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
        earned: amountText(earned),
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
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
        required
        maxLength={60}
        autoComplete="off"
      />
      <BalanceAfter available={earned} amount={amount.trim()} currency={asset} />
      <Input name="to" label={t('Address')} required maxLength={200} autoComplete="off" code />
      {asset === 'pi' && (
        <Input name="memo" label={t('Memo')} required={false} maxLength={28} autoComplete="off" />
      )}
    </FormDialog>
  );
}

/** What is left of the fees; nothing while the amount is no number, or more than there is. */
function BalanceAfter(props: { available: string; amount: string; currency: string }): ReactNode {
  const { available, amount, currency } = props;
  const left = /^\d+(?:\.\d+)?$/.test(amount) ? minus(available, amount) : '-';
  return (
    <div role="status">
      {!left.startsWith('-') && (
        <DefinitionList
          facts={[[t('Balance after'), <Money key="after" amount={left} currency={currency} />]]}
        />
      )}
    </div>
  );
}
