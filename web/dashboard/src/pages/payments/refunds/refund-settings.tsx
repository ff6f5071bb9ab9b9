import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { RadioGroup } from '../../../ui/form/radio-group.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { type RefundSettingsData, useRefundSettings } from './queries.ts';

/** What the owner decides about refunds. */
export function RefundSettings(): ReactNode {
  const { data, error, isError, refetch } = useRefundSettings();
  return (
    <Card title={t('Refunds')} description={t('From now on, in test mode and in live mode.')}>
      {data ? (
        <SettingsForm key={JSON.stringify(data)} settings={data} />
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </Card>
  );
}

function SettingsForm({ settings }: { settings: RefundSettingsData }): ReactNode {
  const { integrationPath, path } = useScope();
  const may = useMay('manage payouts');
  const refresh = useRefresh();

  async function save(values: FormValues): Promise<void> {
    const { fee_on_refund, claim_limit_usd = '' } = values;
    const limits = settings.assets.flatMap((asset): [string, string][] => {
      const amount = values[`limit ${asset}`]?.trim();
      return amount ? [[asset, amount]] : [];
    });
    const claim_limits = Object.fromEntries(limits);
    const body = { fee_on_refund, claim_limit_usd: claim_limit_usd.trim(), claim_limits };
    await api(integrationPath('/refund-settings'), { method: 'PUT', body });
    toast(t('Refund settings saved'));
    await refresh(integrationPath('/refund-settings'), path('/payments'));
  }

  return (
    <Form onSend={save} label={t('Refund settings')}>
      <fieldset disabled={!may} className="grid min-w-0 gap-5">
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
      </fieldset>
      {may && (
        <div>
          <SubmitButton>{t('Save')}</SubmitButton>
        </div>
      )}
    </Form>
  );
}

function Limits({ settings }: { settings: RefundSettingsData }): ReactNode {
  return (
    <details
      className="grid gap-3 rounded-lg border border-line p-3"
      open={Object.keys(settings.claim_limits).length > 0}
    >
      <summary className="text-sm font-semibold">{t('Limits in an asset of their own')}</summary>
      <p className="pt-3 text-sm text-quiet">
        {t('They go before the limit in dollars. Empty: that one counts.')}
      </p>
      <div className="grid gap-3 pt-3 sm:grid-cols-2 lg:grid-cols-3">
        {settings.assets.map((asset) => (
          <Input
            key={asset}
            name={`limit ${asset}`}
            label={assetName(asset)}
            inputMode="decimal"
            pattern="\d+(\.\d+)?"
            title={t('A decimal number, such as 100 or 0.5')}
            autoComplete="off"
            required={false}
            defaultValue={settings.claim_limits[asset] ?? ''}
          />
        ))}
      </div>
    </details>
  );
}
