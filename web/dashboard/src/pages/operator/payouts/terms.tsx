import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { assetName } from '../../../format/amount.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Money } from '../../../ui/display/money.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { toastOutcome } from '../../../ui/toast/done.ts';
import { type PayoutTermsData, termsPath, usePayoutTerms } from './queries.ts';

const orNone = (asset: string, amount: string | null): ReactNode =>
  amount === null ? (
    <span className="text-quiet">{t('None')}</span>
  ) : (
    <Money amount={amount} currency={currencyOf(asset)} />
  );
const currencyOf = (asset: string): string => asset.split('-')[0] ?? asset;

const columns: Column<PayoutTermsData>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    className: 'w-full',
    cell: ({ asset, why }) => (
      <>
        <RowLink open={asset} className="font-semibold">
          {assetName(asset)}
        </RowLink>
        {why !== null && (
          <span className="block text-quiet">{t('Live payouts: {why}', { why: ofGateway(why) })}</span>
        )}
      </>
    ),
  },
  { key: 'fee', head: t('Fee'), align: 'end', cell: ({ asset, fee }) => orNone(asset, fee) },
  {
    key: 'minimum',
    head: t('Minimum'),
    align: 'end',
    from: 'sm',
    cell: ({ asset, minimum }) => orNone(asset, minimum),
  },
  {
    key: 'limit',
    head: t('Daily limit'),
    align: 'end',
    from: 'md',
    cell: ({ asset, daily_limit }) => orNone(asset, daily_limit),
  },
  {
    key: 'approve',
    head: t('You approve above'),
    align: 'end',
    from: 'md',
    cell: ({ asset, approve_above }) => orNone(asset, approve_above),
  },
];

/** What payouts cost and how far they go without an operator, in each asset. */
export function Terms(): ReactNode {
  return (
    <List
      list={usePayoutTerms()}
      caption={t('Fees and limits of payouts')}
      columns={columns}
      rowKey={({ asset }) => asset}
      empty={null}
      detail={(terms, onClose) => <TermsDrawer terms={terms} onClose={onClose} />}
    />
  );
}

function TermsDrawer({ terms, onClose }: { terms: PayoutTermsData; onClose: () => void }): ReactNode {
  const refresh = useRefresh();
  const { asset } = terms;

  async function send(values: FormValues): Promise<void> {
    const { fee, minimum, daily_limit, approve_above } = values;
    const body = { fee, minimum, daily_limit: daily_limit || null, approve_above: approve_above || null };
    const outcome = await api(`${termsPath}/${asset}`, { method: 'PUT', body });
    toastOutcome(outcome, t('{asset} is changed for new payouts.', { asset: assetName(asset) }));
    onClose();
    await refresh(termsPath);
  }

  const number = { inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <Drawer open onClose={onClose} title={assetName(asset)}>
      <p className="text-sm text-quiet">
        {t('For payouts that are ordered from now on. Amounts are in this asset.')}
      </p>
      <Form onSend={send} label={t('Terms of {asset}', { asset: assetName(asset) })}>
        <Input
          {...number}
          name="fee"
          label={t('Fee of a payout')}
          help={t('Taken from the business beside the amount. Refunds cost none.')}
          required
          defaultValue={terms.fee}
        />
        <Input {...number} name="minimum" label={t('Minimum')} required defaultValue={terms.minimum} />
        <Input
          {...number}
          name="daily_limit"
          label={t('Daily limit')}
          help={t('Of live mode, over all integrations, by UTC day.')}
          required={false}
          defaultValue={terms.daily_limit ?? ''}
        />
        <Input
          {...number}
          name="approve_above"
          label={t('You approve above')}
          help={t('A larger payout waits for an operator too.')}
          required={false}
          defaultValue={terms.approve_above ?? ''}
        />
        <div>
          <SubmitButton>{t('Change {asset}', { asset: assetName(asset) })}</SubmitButton>
        </div>
      </Form>
    </Drawer>
  );
}
