import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NamedId } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';

/** Makes a business whose owner is whoever names it; the first step of a new account. */
export function NewMerchantPage(): ReactNode {
  const navigate = useNavigate();
  const refresh = useRefresh();
  return (
    <>
      <PageHeader
        title={t('Name your business')}
        description={t(
          'A business holds integrations, the apps that take payments, and the people who run them.',
        )}
      />
      <Card className="max-w-lg">
        <Form
          onSend={async ({ name }) => {
            const { id } = await api<NamedId>('/console/account/merchants', { body: { name } });
            await refresh('session');
            await navigate({
              to: '/m/$merchant/integrations',
              params: { merchant: id },
              search: { new: 'first' },
            });
          }}
        >
          <Input
            label={t('Name')}
            name="name"
            maxLength={100}
            autoComplete="organization"
            help={t('As your team knows it. You can change it later.')}
            required
          />
          <div>
            <SubmitButton>{t('Continue')}</SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}
