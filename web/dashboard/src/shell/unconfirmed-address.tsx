import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { t } from '../texts/t.ts';
import { Button } from '../ui/button/button.tsx';
import { Banner } from '../ui/feedback/banner.tsx';
import { useAct } from '../ui/toast/act.ts';

/** Reminds a person who has not confirmed their e-mail address, and sends the link again. */
export function UnconfirmedAddress(): ReactNode {
  const { account } = useSession();
  const sendAgain = useAct(() => api('/console/account/email/send-again', { body: {} }), {
    changes: ['session'],
    done: t('A new link was sent to {email}', { email: account.email }),
  });
  if (account.email_verified) return null;
  return (
    <section aria-label={t('Your e-mail address')} className="px-4 pt-4 sm:px-8">
      <Banner
        tone="waiting"
        title={t('Confirm your e-mail address')}
        action={
          <Button size="small" pending={sendAgain.isPending} onClick={() => sendAgain.mutate()}>
            {t('Send again')}
          </Button>
        }
      >
        {t('We sent a link to {email}. Until you open it you can neither invite others nor add passkeys.', {
          email: account.email,
        })}
      </Banner>
    </section>
  );
}
