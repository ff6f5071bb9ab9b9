import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { addPasskey } from '../../api/passkeys.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Input } from '../../ui/form/input.tsx';
import { deviceText } from './device.ts';
import { activityPath, type Passkey, passkeysPath } from './queries.ts';

export type PasskeyNameProps = {
  /** The passkey to rename; null adds one. */
  passkey: Passkey | null;
  onClose: () => void;
};

/** Asks for the name of a passkey, then makes it or renames it. */
export function PasskeyName({ passkey, onClose }: PasskeyNameProps): ReactNode {
  async function send({ name = '' }: Record<string, string>): Promise<string | null> {
    if (passkey === null) {
      return (await addPasskey(name)) ? t('Passkey added') : null;
    }
    await api(`${passkeysPath}/${passkey.id}`, { method: 'PATCH', body: { name } });
    return t('Passkey renamed');
  }

  return (
    <FormDialog
      onClose={onClose}
      title={passkey === null ? t('Create a passkey') : t('Rename the passkey')}
      {...(passkey === null
        ? {
            description: t(
              'Your browser then asks where to store it: on this device, on your phone or on a security key.',
            ),
          }
        : {})}
      label={t('Passkey')}
      onSend={send}
      action={passkey === null ? t('Create the passkey') : t('Save the name')}
      changes={[passkeysPath, activityPath, 'session']}
    >
      <Input
        label={t('Name')}
        name="name"
        help={t('A name that you will recognise in a year.')}
        maxLength={60}
        defaultValue={passkey === null ? deviceText(navigator.userAgent) : (passkey.name ?? '')}
        required
      />
    </FormDialog>
  );
}
