import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import type { Settings } from './queries.ts';

/** Where customers write to. */
export function ContactCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const refresh = useRefresh();
  const { contact_email: email, contact_url: url } = settings;

  async function save({ contact_email = '', contact_url = '' }: FormValues): Promise<void> {
    const body = { contact_email: contact_email.trim(), contact_url: contact_url.trim() };
    await api(integrationPath(''), { method: 'PATCH', body });
    toast(t('Contact saved'));
    await refresh(integrationPath(''));
  }

  return (
    <Card
      title={t('Contact')}
      description={t(
        'Customers see it on receipts, in their mails, and wherever the page says that they write to you.',
      )}
    >
      <Form onSend={save} label={t('Contact')}>
        <fieldset disabled={!may} className="grid min-w-0 items-start gap-5 lg:grid-cols-2">
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
        </fieldset>
        {may && (
          <div>
            <SubmitButton variant="quiet">{t('Save the contact')}</SubmitButton>
          </div>
        )}
      </Form>
    </Card>
  );
}
