import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { AssetAmounts, amountsOf } from '../../../ui/form/asset-amounts.tsx';
import type { FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { RadioGroup } from '../../../ui/form/radio-group.tsx';
import { SettingsForm } from '../../../ui/form/settings-form.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { type RefundSettingsData, useRefundSettings } from './queries.ts';

/** What the owner decides about refunds. */
export function RefundSettings(): ReactNode {
  const settings = useRefundSettings();
  return (
    <Card title={t('Refunds')} description={t('From now on, in test mode and in live mode.')}>
      <Loaded query={settings} rows={3}>
        {(data) => <RefundSettingsForm key={JSON.stringify(data)} settings={data} />}
      </Loaded>
    </Card>
  );
}

function RefundSettingsForm({ settings }: { settings: RefundSettingsData }): ReactNode {
  const { integrationPath, path } = useScope();
  const may = useMay('manage payouts');

  async function save(values: FormValues): Promise<void> {
    const { fee_on_refund, claim_limit_usd = '' } = values;
    const claim_limits = amountsOf(values, 'limit', settings.assets);
    const body = { fee_on_refund, claim_limit_usd: claim_limit_usd.trim(), claim_limits };
    await api(integrationPath('/refund-settings'), { method: 'PUT', body });
  }

  return (
    <SettingsForm
      label={t('Refund settings')}
      may={may}
      onSend={save}
      done={t('Refund settings saved')}
      changes={[integrationPath('/refund-settings'), path('/payments')]}
    >
      <RadioGroup
        name="fee_on_refund"
        label={t('The service fee of what you refund')}
        defaultValue={settings.fee_on_refund}
        choices={[
          {
            value: 'kept',
            label: t('It is not returned'),
            help: t('What you refund leaves your balance in full.'),
          },
          {
            value: 'returned',
            label: t('Its part is returned'),
            help: t('If you refund half of a payment, half of its fee pays a part of the refund.'),
          },
        ]}
      />
      <Input
        name="claim_limit_usd"
        label={t('Most that the link of a payment may claim, in US dollars')}
        help={t(
          'Customers say on the page of the payment where a refund goes, and its link is often shared. For a larger refund, and where the rate to the dollar is not known, somebody of your business approves an address that did not pay. 0: you approve every such address.',
        )}
        inputMode="decimal"
        autoComplete="off"
        required
        maxLength={20}
        defaultValue={settings.claim_limit_usd}
      />
      <Limits settings={settings} />
    </SettingsForm>
  );
}

function Limits({ settings }: { settings: RefundSettingsData }): ReactNode {
  return (
    <details
      className="group grid gap-3 rounded-lg border border-line p-3"
      open={Object.keys(settings.claim_limits).length > 0}
    >
      <summary className="flex items-center gap-2 text-sm font-semibold">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-quiet transition-transform group-open:rotate-90"
        />
        {t('Limits in an asset of their own')}
      </summary>
      <p className="pt-3 text-sm text-quiet">
        {t('They go before the limit in dollars. Empty: that one counts.')}
      </p>
      <div className="pt-3">
        <AssetAmounts name="limit" assets={settings.assets} amounts={settings.claim_limits} optional />
      </div>
    </details>
  );
}
