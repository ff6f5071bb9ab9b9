import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { given } from '../../api/search.ts';
import { signInAddress } from '../../api/sign-in-address.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useEnter } from './enter.ts';

/** Makes an account, which is signed in at once. Then comes a business, or the page that led here. */
export function SignUpPage(): ReactNode {
  const { next, email } = useSearch({ from: '/doors/sign-up' });
  const enter = useEnter();
  return (
    <>
      <PageHeader
        title={t('Create an account')}
        description={t(
          'It belongs to you. With it you can run a business, or join the businesses of others.',
        )}
      />
      <Form
        label={t('Create an account')}
        onSend={async (values) => {
          await api('/console/auth/sign-up', { body: values });
          enter(next ?? '/new-business');
        }}
      >
        <Input label={t('Your name')} name="name" autoComplete="name" maxLength={100} required />
        <Input
          label={t('E-mail address')}
          name="email"
          type="email"
          autoComplete="username"
          maxLength={254}
          defaultValue={email}
          required
        />
        <NewPassword name="password" />
        <p className="text-sm text-quiet">
          {t(
            'Florin keeps your name, your e-mail address, what you do here and the addresses from which you sign in: to run and protect your account, and to show what was changed by whom. By creating the account you agree to that.',
          )}
        </p>
        <SubmitButton size="large">{t('Create the account')}</SubmitButton>
      </Form>
      <p className="text-sm text-quiet">
        {rich('You have one already? {link}', {
          link: (
            <a href={signInAddress(given({ next, email }))} className={buttonClass('link')}>
              {t('Sign in')}
            </a>
          ),
        })}
      </p>
    </>
  );
}
