import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRefresh } from '../../api/act.ts';
import { api } from '../../api/client.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Makes a business whose owner is whoever names it; the first step of a new account. */
export function NewMerchantPage(): ReactNode {
  const navigate = useNavigate();
  const refresh = useRefresh();
  return (
    <>
      <PageHeader
        title="Name your business"
        description="A business holds integrations, the apps that take payments, and the people who run them."
      />
      <Card className="max-w-lg">
        <Form
          onSend={async ({ name }) => {
            const { id } = await api<{ id: string }>('/console/account/merchants', { body: { name } });
            await refresh('session');
            await navigate({
              to: '/m/$merchant/integrations',
              params: { merchant: id },
              search: { new: 'first' },
            });
          }}
        >
          <Input
            label="Name"
            name="name"
            maxLength={100}
            autoComplete="organization"
            help="As your team knows it. You can change it later."
            required
          />
          <div>
            <SubmitButton>Continue</SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}
