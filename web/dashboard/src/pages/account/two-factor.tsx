import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { RecoveryCodes as Codes } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';
import { TwoFactorWithPassword } from './two-factor-with-password.tsx';

/** Two-factor sign-in by codes of an authenticator app. */
export function TwoFactor(): ReactNode {
  const { account } = useSession();
  const [act, setAct] = useState<'on' | 'off' | 'codes' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAct(null);
  return (
    <Card
      title={t('Two-factor sign-in')}
      description={t(
        'After your password we ask for a code of an authenticator app. A stolen password is then not enough to sign in.',
      )}
    >
      {account.has_two_factor ? (
        <>
          <p>
            <Badge tone="paid" icon={ShieldCheck}>
              {t('On')}
            </Badge>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAct('codes')}>{t('New recovery codes')}</Button>
            <Button onClick={() => setAct('off')}>{t('Turn off')}</Button>
          </div>
        </>
      ) : (
        <div>
          <Button variant="primary" onClick={() => setAct('on')}>
            {t('Turn on')}
          </Button>
        </div>
      )}
      {act === 'on' && <TwoFactorSetup onClose={close} onCodes={setCodes} />}
      {act === 'off' && (
        <TwoFactorWithPassword
          title={t('Turn two-factor sign-in off?')}
          description={t(
            'Your password will be enough to sign in, and your recovery codes will stop working.',
          )}
          path="/two-factor/off"
          action={t('Turn off')}
          done={t('Two-factor sign-in is off')}
          danger
          onClose={close}
        />
      )}
      {act === 'codes' && (
        <TwoFactorWithPassword<Codes>
          title={t('Create new recovery codes?')}
          description={t('Your current codes stop working at once.')}
          path="/two-factor/recovery-codes"
          action={t('Create new codes')}
          onClose={close}
          onDone={({ recovery_codes }) => {
            close();
            setCodes(recovery_codes);
          }}
        />
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </Card>
  );
}
