import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ConfirmedAddress } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { isRefusal, messageOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { signInAddress } from '../../api/sign-in-address.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useEnter } from './enter.ts';

/** The page of the link that confirms an address: it is confirmed when the page opens. */
export function VerifyEmailPage(): ReactNode {
  const { token = '' } = useSearch({ from: '/doors/verify-email' });
  const enter = useEnter();
  // A link works once, so its answer is kept while the page is open.
  const confirmation = useQuery({
    queryKey: ['confirm address', token],
    queryFn: () => api<ConfirmedAddress>('/console/auth/email/confirm', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: token !== '',
  });
  return (
    <>
      <PageHeader title={t('Confirm your e-mail address')} />
      {token === '' ? (
        <Banner title={t('Open the link in our mail')}>
          {t('It leads here and confirms your address.')}
        </Banner>
      ) : (
        <Outcome confirmation={confirmation} next={`/verify-email?token=${encodeURIComponent(token)}`} />
      )}
      {confirmation.isSuccess && (
        <Button variant="primary" size="large" onClick={() => enter()}>
          {t('Continue')}
        </Button>
      )}
    </>
  );
}

type OutcomeProps = { confirmation: UseQueryResult<{ email: string }>; next: string };

function Outcome({ confirmation, next }: OutcomeProps): ReactNode {
  const { data, error } = confirmation;
  if (data) {
    return (
      <Banner tone="paid" role="status">
        {t('{email} is confirmed.', { email: data.email })}
      </Banner>
    );
  }
  if (isRefusal(error, 'not_signed_in')) {
    return (
      <>
        <Banner title={t('Sign in first')}>{t('This link changes the address of your account.')}</Banner>
        <a href={signInAddress({ next })} className={buttonClass('primary', 'large')}>
          {t('Sign in and confirm')}
        </a>
      </>
    );
  }
  if (error) {
    return (
      <>
        <Banner tone="lost" role="alert" title={messageOf(error)}>
          {t('Perhaps the address is confirmed already. If not, sign in: there you can send the mail again.')}
        </Banner>
        <Link to="/" className={buttonClass('quiet', 'large')}>
          {t('Go to the dashboard')}
        </Link>
      </>
    );
  }
  return <Skeleton className="h-12 w-full" />;
}
