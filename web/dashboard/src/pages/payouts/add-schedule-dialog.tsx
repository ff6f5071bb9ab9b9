import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { isOf } from './destination-fields.tsx';
import { type PayoutSchedule, usePayoutAddresses, usePayoutAssets } from './queries.ts';

/** Sets a schedule up. */
export function AddScheduleDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { path } = useScope();
  const assets = usePayoutAssets().data?.items ?? [];
  const book = usePayoutAddresses().data?.items ?? [];
  const [chosen, setChosen] = useState<string>();
  const asset = chosen ?? assets[0]?.asset ?? '';
  const fitting = book.filter(({ address }) => isOf(asset, address));

  async function add({ keep = '', most = '', every, address }: FormValues): Promise<string> {
    const body = { asset, keep: keep.trim() || '0', most: most.trim(), every, address };
    const made = await api<PayoutSchedule>(path('/payout-schedules'), { body });
    return made.next_at === null ? t('Set up. Somebody else has to approve it.') : t('Set up');
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Create a schedule')}
      wide
      onSend={add}
      label={t('Create a schedule')}
      action={t('Create the schedule')}
      disabled={fitting.length === 0}
      changes={[path('/payout-schedules')]}
    >
      <Select
        label={t('Asset')}
        value={asset}
        onChange={({ target }) => setChosen(target.value)}
        choices={assets.map((each) => ({ value: each.asset, label: assetName(each.asset) }))}
      />
      {fitting.length === 0 ? (
        <Banner tone="waiting" title={t('No address fits')}>
          {t('Add one to the address book first.')}
        </Banner>
      ) : (
        <Select
          name="address"
          label={t('To')}
          choices={fitting.map(({ id, label, address }) => ({
            value: id,
            label: `${label}: ${address.slice(0, 10)}…`,
          }))}
        />
      )}
      <Select
        name="every"
        label={t('When')}
        help={t('At 00:00 UTC.')}
        choices={[
          { value: 'day', label: t('Each day') },
          { value: 'week', label: t('Each Monday') },
          { value: 'month', label: t('The first of each month') },
        ]}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Input
          name="keep"
          label={t('Stays in the balance')}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          required={false}
        />
        <Input
          name="most"
          label={t('Most in one payout')}
          help={t('This is what is approved.')}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      </div>
    </FormDialog>
  );
}
