import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { reportKeyCopied } from '../../api/key-copied.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { SecretOnce } from '../../ui/dialog/secret-once.tsx';
import { Input } from '../../ui/form/input.tsx';
import { KeySnippet } from './key-snippet.tsx';
import { integrationsPath, type MadeIntegration, makeIntegration } from './queries.ts';

export type CreateIntegrationProps = { merchantId: string; open: boolean; onClose: () => void };

/** Asks for a name, makes the integration and shows its test key; then leads to its overview. */
export function CreateIntegration({ merchantId, open, onClose }: CreateIntegrationProps): ReactNode {
  const [made, setMade] = useState<MadeIntegration | null>(null);
  const refresh = useRefresh();
  const navigate = useNavigate();

  async function leadOn(): Promise<void> {
    const id = made?.id;
    setMade(null);
    onClose();
    await refresh(integrationsPath(merchantId), 'session');
    if (id !== undefined) {
      await navigate({ to: '/i/$integration/$mode/overview', params: { integration: id, mode: 'test' } });
    }
  }

  return (
    <>
      <FormDialog
        open={open && made === null}
        onClose={onClose}
        title={t('New integration')}
        description={t(
          'One for each app or shop of yours. It takes test payments at once, and live ones after approval.',
        )}
        action={t('Make the integration')}
        onSend={async ({ name = '' }) => {
          setMade(await makeIntegration(merchantId, name));
          return null;
        }}
      >
        <Input
          name="name"
          label={t('Name')}
          help={t('Customers see it when they pay.')}
          required
          maxLength={100}
        />
      </FormDialog>
      <SecretOnce
        secret={made?.secret_key ?? null}
        title={t('Its test secret key')}
        again={t('Who manages keys can copy it again under Settings, Keys.')}
        onClose={() => void leadOn()}
        onCopied={() => made && reportKeyCopied(made.id, 'test')}
      >
        <KeySnippet mode="test" secret={made?.secret_key ?? null} />
      </SecretOnce>
    </>
  );
}
