import { type ReactNode, useState } from 'react';
import type { TwoFactorSetup as Prepared } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Code } from '../../ui/display/code.tsx';
import { QrCode } from '../../ui/display/qr-code.tsx';
import { CodeInput } from '../../ui/form/code-input.tsx';
import { accountPath, activityPath } from './queries.ts';
import { TwoFactorWithPassword } from './two-factor-with-password.tsx';

export type TwoFactorSetupProps = { onClose: () => void; onCodes: (codes: string[]) => void };

/** Turns two-factor sign-in on: first the password, then a code, which shows that the app has the secret. */
export function TwoFactorSetup({ onClose, onCodes }: TwoFactorSetupProps): ReactNode {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  if (prepared === null) {
    return (
      <TwoFactorWithPassword<Prepared>
        title={t('Turn two-factor sign-in on')}
        description={t(
          'You need an authenticator app, such as Aegis, Google Authenticator or your password manager.',
        )}
        path="/two-factor"
        isProof
        action={t('Continue')}
        onClose={onClose}
        onDone={setPrepared}
      />
    );
  }
  return <ScanAndConfirm prepared={prepared} onClose={onClose} onCodes={onCodes} />;
}

function ScanAndConfirm({
  prepared,
  onClose,
  onCodes,
}: TwoFactorSetupProps & { prepared: Prepared }): ReactNode {
  const secret = new URL(prepared.totp_uri).searchParams.get('secret') ?? '';
  return (
    <FormDialog
      onClose={onClose}
      title={t('Scan this with your app')}
      description={t('Two-factor sign-in turns on after you enter a first code of the app.')}
      label={t('First code')}
      action={t('Turn on')}
      changes={['session', activityPath]}
      onSend={async (values) => {
        await api(`${accountPath}/two-factor/confirm`, { body: values });
        onCodes(prepared.recovery_codes);
        return t('Two-factor sign-in is on');
      }}
    >
      <div className="mx-auto w-52">
        <QrCode text={prepared.totp_uri} label={t('QR code for your authenticator app')} />
      </div>
      <Code text={secret} label={t('Or type this secret')} />
      <CodeInput />
    </FormDialog>
  );
}
