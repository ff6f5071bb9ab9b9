import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { deadlineChoices, lateChoices } from './durations.ts';
import type { Settings } from './queries.ts';
import { ToleranceFields, toleranceOf } from './tolerance-fields.tsx';

/** The name, and the defaults of payments. */
export function DefaultsCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();

  async function save(values: FormValues): Promise<void> {
    const seconds = {
      live_deadline_seconds: Number(values.live_deadline_seconds),
      late_window_seconds: Number(values.late_window_seconds),
    };
    const body = { ...values, ...seconds, short_tolerance: toleranceOf(values) };
    await api(integrationPath(''), { method: 'PATCH', body });
  }

  return (
    <Card title={t('Name and defaults')} description={t('For payments that are created from now on.')}>
      <SettingsForm
        label={t('Name and defaults')}
        may={may}
        onSend={save}
        done={t('Settings saved')}
        changes={[integrationPath(''), 'session']}
        wide
      >
        <Input
          name="name"
          label={t('Name')}
          help={t('Customers see it when they pay.')}
          defaultValue={settings.name}
          required
          maxLength={100}
        />
        <RadioGroup
          name="fee_payer"
          label={t('Who pays the fee')}
          defaultValue={settings.fee_payer}
          choices={[
            { value: 'merchant', label: t('We do'), help: t('It is taken from what we receive.') },
            { value: 'customer', label: t('The customer'), help: t('It is added to what they pay.') },
          ]}
        />
        <Addresses settings={settings} />
        <Select
          name="live_deadline_seconds"
          label={t('Time to pay in live mode')}
          help={t('Counted from creation, and once more when the customer first chooses how to pay.')}
          defaultValue={String(settings.live_deadline_seconds)}
          choices={deadlineChoices(settings.live_deadline_seconds)}
        />
        <Select
          name="late_window_seconds"
          label={t('Late money is still taken for')}
          help={t('If the full amount arrives within this time after the deadline, the payment completes.')}
          defaultValue={String(settings.late_window_seconds)}
          choices={lateChoices(settings.late_window_seconds)}
        />
        <ToleranceFields tolerance={settings.short_tolerance} />
      </SettingsForm>
    </Card>
  );
}

function Addresses({ settings }: { settings: Settings }): ReactNode {
  return (
    <>
      <Input
        name="success_url"
        type="url"
        label={t('Where customers go after paying')}
        help={t('For payments without a success_url.')}
        placeholder="https://shop.example/thanks"
        defaultValue={settings.success_url ?? ''}
        required={false}
      />
      <Input
        name="failure_url"
        type="url"
        label={t('Where customers go after a failed payment')}
        help={t('For payments without a failure_url.')}
        placeholder="https://shop.example/basket"
        defaultValue={settings.failure_url ?? ''}
        required={false}
      />
    </>
  );
}
