import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import type { Settings } from './queries.ts';

/** Where customers write to. */
export function ContactCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const { contact_email: email, contact_url: url } = settings;

  async function save({ contact_email = '', contact_url = '' }: FormValues): Promise<void> {
    const body = { contact_email: contact_email.trim(), contact_url: contact_url.trim() };
    await api(integrationPath(''), { method: 'PATCH', body });
  }

  return (
    <Card
      title={t('Contact')}
      description={t(
        'Customers see it on receipts, in their mails, and wherever the page says that they write to you.',
      )}
    >
      <SettingsForm
        label={t('Contact')}
        may={may}
        action={t('Save the contact')}
        onSend={save}
        done={t('Contact saved')}
        changes={[integrationPath('')]}
        wide
      >
        <Input
          key={`email ${email}`}
          name="contact_email"
          type="email"
          label={t('E-mail address for customers')}
          placeholder="help@shop.example"
          defaultValue={email ?? ''}
          maxLength={254}
          autoComplete="off"
          required={false}
        />
        <Input
          key={`url ${url}`}
          name="contact_url"
          type="url"
          label={t('Web page for questions')}
          placeholder="https://shop.example/help"
          defaultValue={url ?? ''}
          required={false}
        />
      </SettingsForm>
    </Card>
  );
}
