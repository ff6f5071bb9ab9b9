import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { AssetAmounts, amountsOf } from '../../ui/form/asset-amounts.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { type FundingSettingsData, useFundingSettings } from './queries.ts';

/** Whether users may be funded from the balance, and how much of it in a day. */
export function FundingSettings(): ReactNode {
  const settings = useFundingSettings();
  return (
    <Loaded query={settings} rows={3}>
      {(data) => <FundingForm key={JSON.stringify(data)} settings={data} />}
    </Loaded>
  );
}

function FundingForm({ settings }: { settings: FundingSettingsData }): ReactNode {
  const { path } = useScope();
  const may = useMay('manage payouts');

  async function save(values: FormValues): Promise<void> {
    const daily_limits = amountsOf(values, 'limit', settings.assets);
    const body = { enabled: values.funding === 'on', daily_limits };
    await api(path('/fund-user-settings'), { method: 'PUT', body });
  }

  return (
    <Card
      title={t('Funding users')}
      description={t('Moves your balance to wallets of users, by fund-user and by the form in the balances.')}
    >
      <SettingsForm
        label={t('Fund-user settings')}
        may={may}
        onSend={save}
        done={t('Fund-user settings saved')}
        changes={[path('/fund-user-settings')]}
      >
        <Switch
          name="funding"
          label={t('Users may be funded')}
          help={t('Keys need no approval for it: turn it off if your servers do not use it, or set limits.')}
          defaultChecked={settings.enabled}
          disabled={!may}
        />
        <fieldset className="grid gap-3 rounded-lg border border-line p-3">
          <legend className="px-1 text-sm font-semibold">{t('Most in a day')}</legend>
          <p className="text-sm text-quiet">
            {t('For all keys and people together, by UTC day. Empty: no limit.')}
          </p>
          <AssetAmounts name="limit" assets={settings.assets} amounts={settings.daily_limits} />
        </fieldset>
      </SettingsForm>
    </Card>
  );
}
