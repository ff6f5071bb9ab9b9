import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { assetName, readAsset } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { usePayoutAssets } from './queries.ts';

/** Adds an address to the book; the gateway checks it by the rules of its network. */
export function AddAddressDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { path } = useScope();
  const assets = usePayoutAssets().data?.items ?? [];
  const [asset, setAsset] = useState<string>();
  const chosen = asset ?? assets[0]?.asset ?? '';

  async function add({ label = '', to = '', memo = '' }: FormValues): Promise<string> {
    const body = { asset: chosen, to: to.trim(), label, ...(memo ? { memo } : {}) };
    await api(path('/payout-addresses'), { body });
    return t('Address added. It may be used after a day.');
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Add an address')}
      description={t('Copy it from where it is kept. Payouts cannot be taken back from a wrong one.')}
      onSend={add}
      label={t('Add an address')}
      action={t('Add the address')}
      changes={[path('/payout-addresses')]}
    >
      <Input name="label" label={t('Name')} help={t('For example: Our exchange.')} required maxLength={100} />
      <Select
        label={t('For')}
        value={chosen}
        onChange={({ target }) => setAsset(target.value)}
        help={t('An address of one EVM chain may be used on the others too.')}
        choices={assets.map((each) => ({ value: each.asset, label: assetName(each.asset) }))}
      />
      <Input name="to" label={t('Address')} required maxLength={200} autoComplete="off" code />
      {readAsset(chosen).currency === 'PI' && (
        <Input name="memo" label={t('Memo')} required={false} maxLength={28} autoComplete="off" />
      )}
    </FormDialog>
  );
}
