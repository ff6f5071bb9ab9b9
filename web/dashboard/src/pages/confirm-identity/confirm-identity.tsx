import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { onConfirmationNeeded } from '../../api/listeners.ts';
import { passkeyHindrance, signInByPasskey } from '../../api/passkeys.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { CodeInput } from '../../ui/form/code-input.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordInput } from '../../ui/form/password-input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { useAct } from '../../ui/toast/act.ts';

/**
 * Opens when the gateway requires a fresh sign-in before a change: with a passkey or the code of an authenticator where
 * there is one, otherwise with the password. The change continues after the confirmation, and fails when the person
 * closes the dialog.
 */
export function ConfirmIdentity(): ReactNode {
  const { account } = useSession();
  const hasFactor = account.has_two_factor || account.has_passkey;
  const [open, setOpen] = useState(false);
  const waiting = useRef<((confirmed: boolean) => void)[]>([]);

  useEffect(() => {
    onConfirmationNeeded(() => {
      setOpen(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    return () => onConfirmationNeeded(async () => false);
  }, []);

  function close(confirmed: boolean): void {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(confirmed);
  }

  return (
    <Dialog
      open={open}
      onClose={() => close(false)}
      title={t('Confirm that it is you')}
      description={t('This change is sensitive, so we ask again. You stay signed in.')}
    >
      <Form
        label={t('Confirm that it is you')}
        onSend={async (values) => {
          await api('/console/account/confirm', { body: values });
          close(true);
        }}
      >
        {account.has_two_factor && <CodeInput autoFocus />}
        {!hasFactor && <PasswordField email={account.email} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => close(false)}>{t('Back')}</Button>
          {(account.has_two_factor || !hasFactor) && <SubmitButton>{t('Confirm')}</SubmitButton>}
        </div>
      </Form>
      {account.has_passkey && (
        <PasskeyConfirmation isOnly={!account.has_two_factor} onConfirmed={() => close(true)} />
      )}
    </Dialog>
  );
}

function PasswordField({ email }: { email: string }): ReactNode {
  return (
    <>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordInput label={t('Password')} name="password" autoComplete="current-password" required />
    </>
  );
}

/** The new session replaces this browser's session, so the data that was read stays valid. */
function PasskeyConfirmation({
  isOnly,
  onConfirmed,
}: {
  isOnly: boolean;
  onConfirmed: () => void;
}): ReactNode {
  const confirm = useAct(async () => {
    if (await signInByPasskey()) onConfirmed();
  });
  const hindrance = passkeyHindrance();
  if (hindrance !== null) return isOnly ? <Banner>{hindrance}</Banner> : null;
  return (
    <Button pending={confirm.isPending} onClick={() => confirm.mutate()}>
      <KeyRound size={16} aria-hidden /> {isOnly ? t('Use your passkey') : t('Use a passkey instead')}
    </Button>
  );
}
