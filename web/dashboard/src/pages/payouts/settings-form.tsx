import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { counted, t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { AssetAmounts, amountsOf } from '../../ui/form/asset-amounts.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import type { PayoutSettingsData } from './queries.ts';

/** What the owner decides about payouts. */
export function PayoutSettingsForm({ settings }: { settings: PayoutSettingsData }): ReactNode {
  const { path, mode } = useScope();
  const may = useMay('manage payouts');
  const [approvals, setApprovals] = useState(String(settings.approvals));

  async function save(values: FormValues): Promise<void> {
    // What is not shown keeps its amount.
    const above = approvals === '0' ? settings.approve_above : amountsOf(values, 'above', settings.assets);
    await api(path('/payout-settings'), {
      method: 'PUT',
      body: {
        enabled: mode === 'test' || values.enabled === 'on',
        approvals: Number(approvals),
        approve_above: above,
        known_addresses_only: values.known_addresses_only === 'on',
      },
    });
  }

  return (
    <Card
      title={t('Payouts')}
      description={
        mode === 'test'
          ? t('Test payouts are always on: try here what live mode will ask for.')
          : settings.enabled
            ? t('Your people and your servers may send money from your balance to addresses.')
            : t('Off until an owner turns them on.')
      }
    >
      {!may && <Banner>{t('Only owners change these settings.')}</Banner>}
      <SettingsForm
        label={t('Payout settings')}
        may={may}
        onSend={save}
        done={t('Payout settings saved')}
        changes={[path('/payout-settings'), path('/payout-assets')]}
      >
        {mode === 'live' && (
          <Switch
            name="enabled"
            label={t('Payouts are on')}
            help={t('Owners and finance withdraw here. Servers need a key that names “make payouts”.')}
            defaultChecked={settings.enabled}
            disabled={!may}
          />
        )}
        <Switch
          name="known_addresses_only"
          label={t('Only addresses of the address book')}
          help={t('A new address rests for a day, so that everybody who pays out can stop it.')}
          defaultChecked={settings.known_addresses_only}
          disabled={!may}
        />
        <Select
          label={t('Approvals by other people')}
          value={approvals}
          onChange={({ target }) => setApprovals(target.value)}
          help={t('Who asks never approves. {approvers}', { approvers: peopleWords(settings.approvers) })}
          choices={[
            { value: '0', label: t('None') },
            { value: '1', label: t('One') },
            { value: '2', label: t('Two') },
          ]}
        />
        {approvals !== '0' && <Amounts settings={settings} />}
      </SettingsForm>
    </Card>
  );
}

const peopleWords = (count: number): string =>
  counted(count, 'One person may pay out: you need another one.', '{count} people may pay out.');

function Amounts({ settings }: { settings: PayoutSettingsData }): ReactNode {
  return (
    <fieldset className="grid gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-semibold">{t('Amounts that need no approval')}</legend>
      <p className="text-sm text-quiet">
        {t('Up to this amount for each payout. Empty: each payout needs approval.')}
      </p>
      <AssetAmounts name="above" assets={settings.assets} amounts={settings.approve_above} />
    </fieldset>
  );
}
