import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { amountText, assetName } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
import { counted, t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { DestinationFields, destinationOf } from './destination-fields.tsx';
import { NothingToWithdraw } from './nothing-to-withdraw.tsx';
import {
  type ConsolePayout,
  type PayoutAddress,
  type PayoutAssets,
  type PayoutPreview,
  usePayoutAddresses,
  usePayoutAssets,
} from './queries.ts';
import { useMerchantSide } from './side.ts';

type Order = { asset: string; amount: string; to: string; memo?: string; description?: string };
type Judged = { order: Order; preview: PayoutPreview; idempotencyKey: string };

/** Pays part of a balance out: a form, and a confirmation that shows what leaves, what arrives, and what is left. */
export function WithdrawDrawer({
  open,
  onClose,
  onOrdered,
}: {
  open: boolean;
  onClose: () => void;
  onOrdered: () => void;
}): ReactNode {
  const { path, mode } = useScope();
  const side = useMerchantSide();
  const refresh = useRefresh();
  const assets = usePayoutAssets();
  const book = usePayoutAddresses();
  const [judged, setJudged] = useState<Judged>();

  async function judge(order: Order): Promise<void> {
    const preview = await api<PayoutPreview>(path('/payouts/preview'), { body: order });
    setJudged({ order, preview, idempotencyKey: newIdempotencyKey() });
  }

  async function send(): Promise<void> {
    if (!judged) return;
    const { order: body, idempotencyKey } = judged;
    const { status } = await api<ConsolePayout>(path('/payouts'), { body, idempotencyKey });
    toast(status === 'awaiting_approval' ? t('Ordered. Somebody else has to approve it.') : t('Ordered'));
    await refresh(...side.changes);
    onOrdered();
  }

  return (
    <>
      <Drawer open={open} onClose={onClose} title={t('Withdraw')}>
        <p className="text-sm text-quiet">
          {t(
            'Sends money from your balance to an address on its network. What was sent cannot be taken back.',
          )}
          {mode === 'test' && ` ${t('This is test mode: only test money moves.')}`}
        </p>
        {assets.isError || book.isError ? (
          <ErrorState
            error={assets.error ?? book.error}
            onRetry={() => void Promise.all([assets.refetch(), book.refetch()])}
          />
        ) : assets.data && book.data ? (
          <WithdrawForm assets={assets.data} book={book.data.items} onSend={judge} />
        ) : (
          <SkeletonRows rows={4} />
        )}
      </Drawer>
      <ConfirmDialog
        open={judged !== undefined}
        onClose={() => setJudged(undefined)}
        title={t('Send this money?')}
        action={
          judged
            ? t('Send {amount} {asset}', {
                amount: amountText(judged.preview.amount),
                asset: assetName(judged.preview.asset),
              })
            : t('Send')
        }
        onConfirm={send}
      >
        {judged && <Preview {...judged} />}
      </ConfirmDialog>
    </>
  );
}

type WithdrawFormProps = {
  assets: PayoutAssets;
  book: readonly PayoutAddress[];
  onSend: (order: Order) => Promise<void>;
};

function WithdrawForm({ assets, book, onSend }: WithdrawFormProps): ReactNode {
  const some = assets.items.filter(({ available }) => isSome(available));
  const open = some.filter(({ why }) => why === null);
  const [chosen, setChosen] = useState(open[0]?.asset);
  const from = open.find(({ asset }) => asset === chosen) ?? open[0];
  if (!assets.enabled || !from) return <NothingToWithdraw isEnabled={assets.enabled} some={some} />;
  const { asset, currency, fee, minimum, most } = from;

  const read = (values: FormValues): Order => ({
    asset,
    amount: (values.amount ?? '').trim(),
    ...destinationOf(values, book),
    ...(values.description ? { description: values.description } : {}),
  });
  function takeAll(event: { currentTarget: HTMLElement }): void {
    const field = event.currentTarget.closest('form')?.elements.namedItem('amount');
    if (field instanceof HTMLInputElement) field.value = most;
  }

  return (
    <Form onSend={(values) => onSend(read(values))} label={t('Withdraw')}>
      <Select
        label={t('From')}
        value={asset}
        onChange={({ target }) => setChosen(target.value)}
        choices={open.map((each) => ({
          value: each.asset,
          label: `${assetName(each.asset)}: ${amountText(each.available)} ${each.currency}`,
        }))}
      />
      <div className="grid grid-cols-[1fr_auto] items-end gap-2">
        <Input
          name="amount"
          label={t('Amount in {currency}', { currency })}
          required
          inputMode="decimal"
          autoComplete="off"
        />
        <Button onClick={takeAll} disabled={!isSome(most)}>
          {t('All')}
        </Button>
      </div>
      <p className="-mt-3 text-sm text-quiet">
        {isSome(fee)
          ? t('The fee of {fee} {currency} is taken beside it.', { fee: amountText(fee), currency })
          : t('Free of charge.')}{' '}
        {isSome(minimum) &&
          `${t('At least {minimum} {currency}.', { minimum: amountText(minimum), currency })} `}
        {t('Exactly this amount arrives.')}
      </p>
      <DestinationFields key={asset} asset={asset} book={book} isKnownOnly={assets.known_addresses_only} />
      <Input
        name="description"
        label={t('Description')}
        help={t('For your own books.')}
        maxLength={500}
        required={false}
      />
      <div className="flex justify-end">
        <SubmitButton>{t('Continue')}</SubmitButton>
      </div>
    </Form>
  );
}

function Preview({ order, preview }: Judged): ReactNode {
  const { asset, amount, fee, leaves, approvals_needed: needed } = preview;
  return (
    <>
      <DefinitionList
        facts={[
          [
            t('To'),
            <strong key="to" className="font-mono">
              {order.to}
            </strong>,
          ],
          [t('Memo'), order.memo],
          [t('Arrives'), <Money key="amount" amount={amount} currency={asset} />],
          [t('Fee'), isSome(fee) ? <Money key="fee" amount={fee} currency={asset} /> : t('None')],
          [t('Leaves your balance'), <Money key="leaves" amount={leaves} currency={asset} />],
          [t('Balance after'), <Money key="after" amount={preview.balance_after} currency={asset} />],
        ]}
      />
      <p>
        {needed === 0
          ? t('It is sent at once.')
          : counted(
              needed,
              'It is sent after one approval by somebody else.',
              'It is sent after {count} approvals by somebody else.',
            )}
      </p>
    </>
  );
}
