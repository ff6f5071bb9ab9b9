import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { addPasskey } from '../../api/passkeys.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { deviceText } from './device.ts';
import { activityPath, type Passkey, passkeysPath } from './queries.ts';

export type PasskeyNameProps = {
  /** The passkey to rename; null adds one. */
  passkey: Passkey | null;
  onClose: () => void;
};

/** Asks for the name of a passkey, then makes it or renames it. */
export function PasskeyName({ passkey, onClose }: PasskeyNameProps): ReactNode {
  const refresh = useRefresh();

  async function send({ name = '' }: Record<string, string>): Promise<void> {
    if (passkey === null) {
      if (!(await addPasskey(name))) return;
      toast(t('Passkey added'));
    } else {
      await api(`${passkeysPath}/${passkey.id}`, { method: 'PATCH', body: { name } });
      toast(t('Passkey renamed'));
    }
    onClose();
    await refresh(passkeysPath, activityPath, 'session');
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={passkey === null ? t('Add a passkey') : t('Rename the passkey')}
      {...(passkey === null
        ? {
            description: t(
              'Your browser then asks where to store it: on this device, on your phone or on a security key.',
            ),
          }
        : {})}
    >
      <Form label={t('Passkey')} onSend={send}>
        <Input
          label={t('Name')}
          name="name"
          help={t('A name that you will recognise in a year.')}
          maxLength={60}
          defaultValue={passkey === null ? deviceText(navigator.userAgent) : (passkey.name ?? '')}
          required
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton>{passkey === null ? t('Make the passkey') : t('Save the name')}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
