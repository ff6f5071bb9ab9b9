import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isRefusal, messageOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { CodeInput } from '../../ui/form/code-input.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { useEnter } from './enter.ts';

/** The second step: a code of the authenticator app, or one of the recovery codes. */
export function CodeStep({ onStartAgain }: { onStartAgain: () => void }): ReactNode {
  const { next } = useSearch({ from: '/doors/sign-in' });
  const [isRecovery, setRecovery] = useState(false);
  const enter = useEnter();

  async function send({ code }: Record<string, string>): Promise<void> {
    const path = `/console/auth/sign-in/${isRecovery ? 'recovery-code' : 'code'}`;
    try {
      await api(path, { body: { code } });
    } catch (error) {
      if (!isRefusal(error, 'sign_in_expired')) throw error;
      toast(messageOf(error), 'lost');
      return onStartAgain();
    }
    enter(next);
  }

  return (
    <>
      <PageHeader
        title={isRecovery ? t('Enter a recovery code') : t('Enter your code')}
        description={
          isRecovery
            ? t(
                'One of the ten codes that you stored when you turned two-factor sign-in on. Each works once.',
              )
            : t('Your password is right. Now enter the six digits that your authenticator app shows.')
        }
      />
      <Form key={`${isRecovery}`} label={t('Second step')} onSend={send}>
        {isRecovery ? (
          <Input
            label={t('Recovery code')}
            name="code"
            autoComplete="off"
            maxLength={30}
            autoFocus
            required
            code
          />
        ) : (
          <CodeInput autoFocus />
        )}
        <SubmitButton size="large">{t('Sign in')}</SubmitButton>
      </Form>
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <Button variant="link" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? t('Use the authenticator app') : t('Use a recovery code')}
        </Button>
        <Button variant="link" onClick={onStartAgain}>
          {t('Start again')}
        </Button>
      </div>
    </>
  );
}
