import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Input } from '../../ui/form/input.tsx';
import { integrationsPath, makeIntegration } from './queries.ts';

export type CreateIntegrationProps = { merchantId: string; open: boolean; onClose: () => void };

/** Asks for a name, creates the integration and leads to its overview, whose first steps begin with its key. */
export function CreateIntegration({ merchantId, open, onClose }: CreateIntegrationProps): ReactNode {
  const refresh = useRefresh();
  const navigate = useNavigate();

  async function create(name: string): Promise<string> {
    const { id } = await makeIntegration(merchantId, name);
    await refresh(integrationsPath(merchantId), 'session');
    await navigate({ to: '/i/$integration/$mode/overview', params: { integration: id, mode: 'test' } });
    return t('{name} is created', { name });
  }

  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('New integration')}
      description={t(
        'One for each app or shop of yours. It takes test payments at once, and live ones after approval.',
      )}
      action={t('Create the integration')}
      onSend={({ name = '' }) => create(name)}
    >
      <Input
        name="name"
        label={t('Name')}
        help={t('Customers see it when they pay.')}
        required
        maxLength={100}
      />
    </FormDialog>
  );
}
