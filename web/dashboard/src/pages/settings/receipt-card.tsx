import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { Card } from '../../ui/layout/card.tsx';
import type { Settings } from './queries.ts';

/** What stands at the head of receipts, beside the name, the logo and the contact. */
export function ReceiptCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const { postal_address: address, tax_number: taxNumber } = settings;

  async function save({ postal_address = '', tax_number = '' }: FormValues): Promise<void> {
    const body = { postal_address: postal_address.trim(), tax_number: tax_number.trim() };
    await api(integrationPath(''), { method: 'PATCH', body });
  }

  return (
    <Card
      title={t('Receipts')}
      description={t('The head of receipts has your name and contact, and what you fill in here.')}
    >
      <SettingsForm
        label={t('Receipts')}
        may={may}
        action={t('Save the head of receipts')}
        onSend={save}
        done={t('Head of receipts saved')}
        changes={[integrationPath('')]}
        wide
      >
        <Textarea
          key={`address ${address}`}
          name="postal_address"
          label={t('Postal address')}
          help={t('At most six lines')}
          defaultValue={address ?? ''}
          maxLength={400}
          rows={3}
          autoComplete="off"
          required={false}
        />
        <Input
          key={`tax ${taxNumber}`}
          name="tax_number"
          label={t('Tax number')}
          defaultValue={taxNumber ?? ''}
          maxLength={60}
          autoComplete="off"
          required={false}
        />
      </SettingsForm>
    </Card>
  );
}
