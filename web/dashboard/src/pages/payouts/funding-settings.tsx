import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { type FundingSettingsData, useFundingSettings } from './queries.ts';

/** Whether users may be funded from the balance, and how much of it in a day. */
export function FundingSettings(): ReactNode {
  const settings = useFundingSettings();
  if (settings.data) return <SettingsForm key={JSON.stringify(settings.data)} settings={settings.data} />;
  if (settings.isError) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  return <SkeletonRows rows={3} />;
}

function SettingsForm({ settings }: { settings: FundingSettingsData }): ReactNode {
  const { path } = useScope();
  const may = useMay('manage payouts');
  const refresh = useRefresh();

  async function save(values: FormValues): Promise<void> {
    const limits = settings.assets.flatMap((asset): [string, string][] => {
      const amount = values[`limit ${asset}`]?.trim();
      return amount ? [[asset, amount]] : [];
    });
    const body = { enabled: values.funding === 'on', daily_limits: Object.fromEntries(limits) };
    await api(path('/fund-user-settings'), { method: 'PUT', body });
    toast(t('Fund-user settings saved'));
    await refresh(path('/fund-user-settings'));
  }

  return (
    <Card
      title={t('Funding users')}
      description={t('Moves your balance to wallets of users, by fund-user and by the form in the balances.')}
    >
      <Form onSend={save} label={t('Fund-user settings')}>
        <fieldset disabled={!may} className="grid min-w-0 gap-5">
          <Switch
            name="funding"
            label={t('Users may be funded')}
            help={t(
              'Keys need no approval for it: turn it off if your servers do not use it, or set limits.',
            )}
            defaultChecked={settings.enabled}
            disabled={!may}
          />
          <fieldset className="grid gap-3 rounded-lg border border-line p-3">
            <legend className="px-1 text-sm font-semibold">{t('Most in a day')}</legend>
            <p className="text-sm text-quiet">
              {t('For all keys and people together, by UTC day. Empty: no limit.')}
            </p>
            <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {settings.assets.map((asset) => (
                <Input
                  key={asset}
                  name={`limit ${asset}`}
                  label={assetName(asset)}
                  inputMode="decimal"
                  pattern="\d+(\.\d+)?"
                  title={t('A decimal number, such as 100 or 0.5')}
                  autoComplete="off"
                  defaultValue={settings.daily_limits[asset] ?? ''}
                />
              ))}
            </div>
          </fieldset>
        </fieldset>
        {may && (
          <div>
            <SubmitButton>{t('Save')}</SubmitButton>
          </div>
        )}
      </Form>
    </Card>
  );
}
