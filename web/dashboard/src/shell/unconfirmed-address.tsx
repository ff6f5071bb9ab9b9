import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { t } from '../texts/t.ts';
import { Button, buttonClass } from '../ui/button/button.tsx';
import { useAct } from '../ui/toast/act.ts';

/** One quiet line for a person who has not confirmed their e-mail address: where the link is, and how to get another. */
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
    <section
      aria-label={t('Your e-mail address')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 text-sm text-quiet sm:px-8"
    >
      <p className="min-w-0 wrap-anywhere">
        {sendsMail
          ? t('We sent a link to {email}. Open it to confirm the address.', { email })
          : t('The link that confirms {email} waits among the messages of the operators.', { email })}
      </p>
      {!sendsMail && account.is_operator && (
        <Link to="/operator/messages" className={buttonClass('link')}>
          {t('Messages')}
        </Link>
      )}
      <Button variant="link" pending={sendAgain.isPending} onClick={() => sendAgain.mutate()}>
        {sendsMail ? t('Send another') : t('Create another')}
      </Button>
    </section>
  );
}
