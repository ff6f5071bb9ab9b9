import { KeyRound, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { passkeyHindrance } from '../../api/passkeys.ts';
import { useSession } from '../../api/session.ts';
import { UnconfirmedAddress } from '../../shell/unconfirmed-address.tsx';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PasskeyName } from '../account/passkey-name.tsx';
import { TwoFactorSetup } from '../account/two-factor-setup.tsx';

/** The choice of a first factor: a passkey where the browser makes them, or an authenticator app. */
export function SetUp({ onCodes }: { onCodes: (codes: string[]) => void }): ReactNode {
  const { account } = useSession();
  const [act, setAct] = useState<'passkey' | 'app' | null>(null);
  const hindrance = passkeyHindrance();
  const mayMakePasskey = hindrance === null && account.email_verified;
  const close = () => setAct(null);
  return (
    <>
      <PageHeader
        title={t('Set up a second factor')}
        description={t(
          'Your account decides about money, so a password alone is not enough for it. This takes a minute, and you do it once.',
        )}
      />
      <UnconfirmedAddress />
      {hindrance === null ? (
        <div className="grid gap-1.5">
          <Button size="large" variant="primary" disabled={!mayMakePasskey} onClick={() => setAct('passkey')}>
            <KeyRound size={18} aria-hidden /> {t('Create a passkey')}
          </Button>
          <p className="text-sm text-quiet">
            {account.email_verified
              ? t('The fingerprint, face or PIN of your device. False sites cannot steal it.')
              : t('For a passkey, confirm your e-mail address first.')}
          </p>
        </div>
      ) : (
        <Banner>{hindrance}</Banner>
      )}
      <div className="grid gap-1.5">
        <Button size="large" variant={mayMakePasskey ? 'quiet' : 'primary'} onClick={() => setAct('app')}>
          <Smartphone size={18} aria-hidden /> {t('Use an authenticator app')}
        </Button>
        <p className="text-sm text-quiet">
          {t('An app on your phone shows six digits, which you type when you sign in.')}
        </p>
      </div>
      {act === 'passkey' && <PasskeyName passkey={null} onClose={close} />}
      {act === 'app' && <TwoFactorSetup onClose={close} onCodes={onCodes} />}
    </>
  );
}
