import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { endPasskeyAutofill, passkeyHindrance, signInByPasskey } from '../../api/passkeys.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';

/**
 * Signs in with a passkey, by a button or by the suggestions of the address field. Without support for passkeys there is
 * no button.
 */
export function PasskeyDoor({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const [fault, setFault] = useState<string>();
  const [pending, setPending] = useState(false);

  async function signIn(autofill: boolean): Promise<void> {
    setFault(undefined);
    if (!autofill) setPending(true);
    try {
      if (await signInByPasskey({ autofill })) onSignedIn();
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      // The press ends the suggestions, whose end must not free the button again.
      if (!autofill) setPending(false);
    }
  }

  const suggest = useEffectEvent(() => signIn(true));
  useEffect(() => {
    if (passkeyHindrance() !== null) return;
    void suggest();
    return () => void endPasskeyAutofill();
  }, []);

  if (passkeyHindrance() !== null) return null;
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-3 text-sm text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      {fault !== undefined && (
        <Banner tone="lost" role="alert">
          {fault}
        </Banner>
      )}
      <Button size="large" pending={pending} onClick={() => void signIn(false)}>
        <KeyRound size={18} aria-hidden /> {t('Sign in with a passkey')}
      </Button>
    </div>
  );
}
