import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { usePayoutAssets } from './queries.ts';

/** Adds an address to the book; the gateway checks it by the rules of its network. */
export function AddAddressDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { path } = useScope();
  const refresh = useRefresh();
  const assets = usePayoutAssets().data?.items ?? [];
  const [asset, setAsset] = useState<string>();
  const chosen = asset ?? assets[0]?.asset ?? '';

  async function add({ label = '', to = '', memo = '' }: FormValues): Promise<void> {
    const body = { asset: chosen, to: to.trim(), label, ...(memo ? { memo } : {}) };
    await api(path('/payout-addresses'), { body });
    toast(t('Address added. It may be used after a day.'));
    onClose();
    await refresh(path('/payout-addresses'));
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Add an address')}
      description={t('Copy it from where it is kept. Payouts cannot be taken back from a wrong one.')}
    >
      <Form onSend={add} label={t('Add an address')}>
        <Input
          name="label"
          label={t('Name')}
          help={t('For example: Our exchange.')}
          required
          maxLength={100}
        />
        <Select
          label={t('For')}
          value={chosen}
          onChange={({ target }) => setAsset(target.value)}
          help={t('An address of one EVM chain may be used on the others too.')}
          choices={assets.map((each) => ({ value: each.asset, label: assetName(each.asset) }))}
        />
        <Input name="to" label={t('Address')} required maxLength={200} autoComplete="off" code />
        {chosen === 'pi' && (
          <Input name="memo" label={t('Memo')} required={false} maxLength={28} autoComplete="off" />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton>{t('Add the address')}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
