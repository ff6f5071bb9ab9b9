import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { useScope } from '../../../api/scope.ts';
import { amountText, assetName, readAsset } from '../../../format/amount.ts';
import { isSome } from '../../../format/decimals.ts';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import type { FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { RadioGroup } from '../../../ui/form/radio-group.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { convertedOf, effectOf } from './effect.ts';
import { type ConsoleRefund, type Refundable, type RefundOptions, useRefundsPath } from './queries.ts';
import { type AmountTyped, RefundAmount } from './refund-amount.tsx';

/** What comes next, where it is not simply sent. */
const doneWords: Partial<Record<ConsoleRefund['status'], string>> = {
  awaiting_destination: t('Refund made. The customer is asked for an address.'),
  awaiting_approval: t('Refund made. Somebody else has to approve it.'),
  awaiting_transfer: t('Refund made. Now send it from your own address.'),
};

type Props = { reference: string; options: RefundOptions; onClose: () => void };

/** An overpayment is filled in first, otherwise all that can be refunded. */
function typedFirst(item: Refundable | undefined): AmountTyped {
  const { overpayment = '', direct_overpayment = '', amount = '' } = item ?? {};
  const text = [overpayment, direct_overpayment].find((each) => isSome(each)) ?? amount;
  return { text, isOfPrice: false };
}

/** Refunds a payment in full or in part, and shows before what leaves which balance. */
export function RefundDialog({ reference, options, onClose }: Props): ReactNode {
  const { path } = useScope();
  const refundsPath = useRefundsPath(reference);
  const [key] = useState(newIdempotencyKey);
  const [item, setItem] = useState(options.items[0]);
  const [typed, setTyped] = useState(typedFirst(item));
  const [asks, setAsks] = useState(true);
  if (!item) return null;
  const { currency } = readAsset(item.asset);
  const price = options.price?.paid_currency === currency ? options.price : null;
  const part = price !== null && typed.isOfPrice ? price : null;
  const text = typed.text.trim();
  const amount = part ? (convertedOf(text, part, item)?.amount ?? '') : text;
  const effect = effectOf(amount, item);

  function choose(asset: string): void {
    const chosen = options.items.find((each) => each.asset === asset);
    setItem(chosen);
    setTyped(typedFirst(chosen));
  }

  async function send({ to = '', memo = '', reason = '' }: FormValues): Promise<string> {
    const body = {
      ...{ asset: item?.asset, [part ? 'price_amount' : 'amount']: text },
      ...(asks ? {} : { to: to.trim(), ...(memo ? { memo } : {}) }),
      ...(reason ? { reason } : {}),
    };
    const { status } = await api<ConsoleRefund>(refundsPath, { body, idempotencyKey: key });
    return doneWords[status] ?? t('Refund made');
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Refund')}
      description={t('What was sent cannot be taken back.')}
      wide
      onSend={send}
      label={t('Refund')}
      action={t('Refund {amount} {asset}', {
        amount: effect === null ? '' : amountText(amount),
        asset: assetName(item.asset),
      })}
      disabled={effect === null || effect.balanceAfter.startsWith('-')}
      changes={[path('/payments'), path('/balances'), path('/payouts')]}
    >
      {options.items.length > 1 && (
        <Select
          label={t('Paid in')}
          value={item.asset}
          onChange={({ target }) => choose(target.value)}
          choices={options.items.map(({ asset }) => ({ value: asset, label: assetName(asset) }))}
        />
      )}
      <RefundAmount item={item} price={price} typed={typed} onChange={setTyped} />
      <Effects item={item} amount={amount} feeOnRefund={options.fee_on_refund} />
      <RadioGroup
        name="destination"
        label={t('Where it goes')}
        value={asks ? 'ask' : 'to'}
        onChange={(value) => setAsks(value === 'ask')}
        choices={[
          {
            value: 'ask',
            label: t('The customer says where'),
            help: t('On the page of the payment, whose link you send them.'),
          },
          {
            value: 'to',
            label: t('To this address'),
            help: t('An address of an exchange may not be theirs.'),
          },
        ]}
      />
      {!asks && (
        <>
          <Input name="to" label={t('Address')} required maxLength={200} autoComplete="off" code />
          {currency === 'PI' && (
            <Input name="memo" label={t('Memo')} required={false} maxLength={28} autoComplete="off" />
          )}
        </>
      )}
      <Textarea name="reason" label={t('Reason')} rows={2} maxLength={500} required={false} />
    </FormDialog>
  );
}

type EffectsProps = { item: Refundable; amount: string; feeOnRefund: RefundOptions['fee_on_refund'] };

function Effects({ item, amount, feeOnRefund }: EffectsProps): ReactNode {
  const effect = effectOf(amount, item);
  if (effect === null) return null;
  const money = (units: string) => <Money amount={units} currency={item.asset} />;
  const isShort = effect.balanceAfter.startsWith('-');
  return (
    <div role="status" className="grid gap-2">
      <DefinitionList
        facts={[
          [t("The customer's own"), isSome(effect.own) ? money(effect.own) : undefined],
          [t('Out of your share'), isSome(effect.business) ? money(effect.business) : undefined],
          [
            t('Balance after, at least'),
            isShort || !isSome(effect.business) ? undefined : money(effect.balanceAfter),
          ],
          [t('You send it from your own address'), isSome(effect.direct) ? money(effect.direct) : undefined],
          [t('Back to wallets'), isSome(item.to_wallets) ? money(item.to_wallets) : undefined],
          [
            t('Service fee'),
            !isSome(effect.business)
              ? undefined
              : feeOnRefund === 'kept'
                ? t('Is not returned to you.')
                : t('Its part comes back, so that less leaves the balance.'),
          ],
        ]}
      />
      {isShort && (
        <p className="text-sm font-semibold text-lost">
          {t('Your balance has only {available} {asset}.', {
            available: amountText(item.available),
            asset: assetName(item.asset),
          })}
        </p>
      )}
    </div>
  );
}
