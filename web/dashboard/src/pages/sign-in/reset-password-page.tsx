import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { leaveToSignIn } from '../../api/leave.ts';
import { signInAddress } from '../../api/sign-in-address.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';

/** Sends the link for a new password, and is the page of that link. */
export function ResetPasswordPage(): ReactNode {
  const { token, reason } = useSearch({ from: '/doors/reset-password' });
  return token === undefined ? <AskForLink /> : <ChooseNew token={token} isWeak={reason === 'weak'} />;
}

function AskForLink(): ReactNode {
  const { email } = useSearch({ from: '/doors/reset-password' });
  const [sentTo, setSentTo] = useState<string>();
  return (
    <>
      <PageHeader
        title={t('Forgot your password?')}
        description={t('Tell us your e-mail address, and you get a link to choose a new one.')}
      />
      {sentTo === undefined ? (
        <Form
          label={t('Ask for a link')}
          onSend={async (values) => {
            await api('/console/auth/password/forgotten', { body: values });
            setSentTo(values.email);
          }}
        >
          <Input
            label={t('E-mail address')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
            required
          />
          <SubmitButton size="large">{t('Send the link')}</SubmitButton>
        </Form>
      ) : (
        <Banner tone="paid" role="status" title={t('You asked for a link')}>
          {t(
            'If there is an account for {sentTo}, it gets a link that is good for one hour: by mail, or from an operator where no mail server is set.',
            { sentTo },
          )}
        </Banner>
      )}
      <SignInLink />
    </>
  );
}

function ChooseNew({ token, isWeak }: { token: string; isWeak: boolean }): ReactNode {
  return (
    <>
      <PageHeader title={t('Choose a new password')} description={t('You will be signed out everywhere.')} />
      {isWeak && (
        <Banner tone="waiting">
          {t('Choose a password of your own: this one was given to you, or is easy to guess.')}
        </Banner>
      )}
      <Form
        label={t('Choose a new password')}
        onSend={async ({ new_password }) => {
          await api('/console/auth/password/reset', { body: { token, new_password } });
          leaveToSignIn({ done: 'password' });
        }}
      >
        <NewPassword name="new_password" label={t('New password')} />
        <SubmitButton size="large">{t('Change the password')}</SubmitButton>
      </Form>
      <p className="text-sm text-quiet">
        {rich('Is the link too old? {link}', {
          link: (
            <Link to="/reset-password" className={buttonClass('link')}>
              {t('Ask for another link')}
            </Link>
          ),
        })}
      </p>
    </>
  );
}

function SignInLink(): ReactNode {
  return (
    <p className="text-sm text-quiet">
      <a href={signInAddress()} className={buttonClass('link')}>
        {t('Back to sign in')}
      </a>
    </p>
  );
}
