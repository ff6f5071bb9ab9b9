import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { isOf } from './destination-fields.tsx';
import { type PayoutSchedule, usePayoutAddresses, usePayoutAssets } from './queries.ts';

/** Sets a schedule up. */
export function AddScheduleDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { path } = useScope();
  const refresh = useRefresh();
  const assets = usePayoutAssets().data?.items ?? [];
  const book = usePayoutAddresses().data?.items ?? [];
  const [chosen, setChosen] = useState<string>();
  const asset = chosen ?? assets[0]?.asset ?? '';
  const fitting = book.filter(({ address }) => isOf(asset, address));

  async function add({ keep = '', most = '', every, address }: FormValues): Promise<void> {
    const body = { asset, keep: keep.trim() || '0', most: most.trim(), every, address };
    const made = await api<PayoutSchedule>(path('/payout-schedules'), { body });
    toast(made.next_at === null ? t('Set up. Somebody else has to approve it.') : t('Set up'));
    onClose();
    await refresh(path('/payout-schedules'));
  }

  return (
    <Dialog open onClose={onClose} title={t('Add a schedule')} wide>
      <Form onSend={add} label={t('Add a schedule')}>
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
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton disabled={fitting.length === 0}>{t('Add the schedule')}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
