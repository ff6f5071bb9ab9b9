import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { SignInStep } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { api } from '../../api/client.ts';
import { given } from '../../api/search.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { PasswordInput } from '../../ui/form/password-input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { useEnter } from './enter.ts';
import { PasskeyDoor } from './passkey-door.tsx';

/** The first step of a sign-in. */
export function PasswordStep({ onCodeNeeded }: { onCodeNeeded: () => void }): ReactNode {
  const { next, email } = useSearch({ from: '/doors/sign-in' });
  const enter = useEnter();
  const navigate = useNavigate();
  const [address, setAddress] = useState(email ?? '');

  async function signIn({ password }: Record<string, string>): Promise<void> {
    const answer = await api<SignInStep>('/console/auth/sign-in', {
      body: { email: address.trim(), password },
    });
    if (answer.reset_token !== null) {
      toast(t('Choose a password of your own: this one was given to you, or is easy to guess.'));
      return await navigate({ to: '/reset-password', search: { token: answer.reset_token } });
    }
    if (answer.two_factor_needed) onCodeNeeded();
    else enter(next);
  }

  return (
    <>
      <PageHeader title={t('Sign in')} />
      {next !== undefined && !next.startsWith('/invitation/') && (
        <Banner>{t('Sign in to continue where you were.')}</Banner>
      )}
      <Form label={t('Sign in')} onSend={signIn}>
        <Input
          label={t('E-mail address')}
          name="email"
          type="email"
          autoComplete="username webauthn"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          required
        />
        <div className="grid gap-1.5">
          <PasswordInput
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            autoFocus={email !== undefined}
            required
          />
          <Link
            to="/reset-password"
            search={given({ email: address.trim() || undefined })}
            className={buttonClass('link')}
          >
            <span className="w-full text-left">{t('Forgot your password?')}</span>
          </Link>
        </div>
        <SubmitButton size="large">{t('Sign in')}</SubmitButton>
      </Form>
      <PasskeyDoor onSignedIn={() => enter(next)} />
      <p className="text-sm text-quiet">
        {rich('New here? {link}', {
          link: (
            <Link to="/sign-up" search={given({ next })} className={buttonClass('link')}>
              {t('Create an account')}
            </Link>
          ),
        })}
      </p>
    </>
  );
}
