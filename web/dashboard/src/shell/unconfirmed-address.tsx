import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { t } from '../texts/t.ts';
import { Button } from '../ui/button/button.tsx';
import { Banner } from '../ui/feedback/banner.tsx';
import { useAct } from '../ui/toast/act.ts';

/** Reminds a person who has not confirmed their e-mail address, and sends the link again. */
export function UnconfirmedAddress(): ReactNode {
  const { account, sends_mail: sendsMail } = useSession();
  const { email } = account;
  const sendAgain = useAct(() => api('/console/account/email/send-again', { body: {} }), {
    changes: ['session'],
    done: sendsMail
      ? t('A new link was sent to {email}', { email })
      : t('A new link waits among the messages of the operators'),
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
        {sendsMail
          ? t(
              'We sent a link to {email}. Until you open it you can neither invite others nor add passkeys.',
              {
                email,
              },
            )
          : t(
              'This gateway has no mail server: the link for {email} waits among the messages of the operators. Until you open it you can neither invite others nor add passkeys.',
              { email },
            )}
      </Banner>
    </section>
  );
}
