import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { amountText, assetName } from '../../format/amount.ts';
import { isSome, minus } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import type { AssetBalance, FundedUser } from './queries.ts';

type Funding = { username: string; amount: string; asset: string; left: string; idempotencyKey: string };

export type FundUserDrawerProps = { open: boolean; onClose: () => void; balances: AssetBalance[] };

/** Pays a user's wallet out of a balance: a form, and a confirmation that shows what will be left. */
export function FundUserDrawer({ open, onClose, balances }: FundUserDrawerProps): ReactNode {
  const { path, mode } = useScope();
  const refresh = useRefresh();
  const [funding, setFunding] = useState<Funding>();
  const some = balances.filter(({ available }) => isSome(available));

  async function send(): Promise<void> {
    if (!funding) return;
    const { username, amount, asset, idempotencyKey } = funding;
    const waits = await api<FundedUser>(path('/fund-user'), {
      body: { username, amount, currency: asset },
      idempotencyKey,
    });
    const facts = { username, amount: amountText(amount), asset: assetName(asset) };
    toast(
      waits === null
        ? t('{username} has received {amount} {asset}', facts)
        : t('{amount} {asset} for {username} waits for approval, with the payouts', facts),
    );
    await refresh(path('/balances'), path('/balance-entries'), path('/statements'), path('/payouts'));
    onClose();
  }

  return (
    <>
      <Drawer open={open} onClose={onClose} title={t('Fund a user')}>
        <p className="text-sm text-quiet">
          {t(
            "Moves money from your balance to a user's wallet. You cannot undo it here. What is above the amounts that need no approval waits first, as a payout does.",
          )}
          {mode === 'test' && ` ${t('This is test mode: only test money moves.')}`}
        </p>
        {some.length === 0 ? (
          <Banner tone="waiting" title={t('The balance is empty')}>
            {t('Each completed payment adds to it.')}
          </Banner>
        ) : (
          <Form onSend={async (values) => setFunding(readFunding(values, some))} label={t('Fund a user')}>
            <Input name="username" label={t('Username')} required maxLength={255} autoComplete="off" code />
            <Select
              name="currency"
              label={t('From')}
              choices={some.map(({ asset, available, currency }) => ({
                value: asset,
                label: `${assetName(asset)}: ${amountText(available)} ${currency}`,
              }))}
            />
            <Input
              name="amount"
              label={t('Amount')}
              required
              inputMode="decimal"
              autoComplete="off"
              help={t('A plain number with a point, such as 12.5')}
            />
            <div className="flex justify-end">
              <SubmitButton>{t('Continue')}</SubmitButton>
            </div>
          </Form>
        )}
      </Drawer>
      <ConfirmDialog
        open={funding !== undefined}
        onClose={() => setFunding(undefined)}
        title={t('Send this money?')}
        action={
          funding
            ? t('Send {amount} {asset}', {
                amount: amountText(funding.amount),
                asset: assetName(funding.asset),
              })
            : t('Send')
        }
        onConfirm={send}
      >
        {funding && (
          <DefinitionList
            facts={[
              [t('To'), <strong key="to">{funding.username}</strong>],
              [t('Amount'), <Money key="amount" amount={funding.amount} currency={funding.asset} />],
              [t('Balance after'), <Money key="left" amount={funding.left} currency={funding.asset} />],
            ]}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

/** Reads the form and checks the amount against the balance. The gateway checks everything again. */
function readFunding(
  { username = '', amount = '', currency = '' }: FormValues,
  balances: AssetBalance[],
): Funding {
  const plain = amount.trim();
  if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(plain) || !isSome(plain)) {
    throw fault('amount', t('Write a positive number such as 12.5'));
  }
  const balance = balances.find(({ asset }) => asset === currency) ?? balances[0]!;
  const left = minus(balance.available, plain);
  if (left.startsWith('-')) {
    throw fault(
      'amount',
      t('Only {available} {currency} can be sent', {
        available: amountText(balance.available),
        currency: balance.currency,
      }),
    );
  }
  return { username, amount: plain, asset: balance.asset, left, idempotencyKey: newIdempotencyKey() };
}

function fault(field: string, message: string): ApiError {
  return new ApiError(400, 'field_invalid', message, { details: [{ field, message }] });
}
