import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { NamedId } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { makeIntegration } from './queries.ts';

/**
 * Creates a business whose owner is whoever names it, and its first integration under the same name; leads to the first
 * steps of that.
 */
export function NewMerchantPage(): ReactNode {
  const navigate = useNavigate();
  const refresh = useRefresh();
  // Kept when the integration is refused, so that the next press creates no second business.
  const business = useRef<string>(undefined);

  async function create(name: string): Promise<void> {
    business.current ??= (await api<NamedId>('/console/account/merchants', { body: { name } })).id;
    const { id: integration } = await makeIntegration(business.current, name);
    await refresh('session');
    await navigate({ to: '/i/$integration/$mode/overview', params: { integration, mode: 'test' } });
  }

  return (
    <>
      <PageHeader
        title={t('Name your business')}
        description={t(
          'You can take test payments in it at once. More shops and apps, and other people, can be added later.',
        )}
      />
      <Card className="max-w-lg">
        <Form onSend={({ name = '' }) => create(name)}>
          <Input
            label={t('Name')}
            name="name"
            maxLength={100}
            autoComplete="organization"
            help={t('Customers see it when they pay. You can change it later.')}
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
