import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { passkeyHindrance, signInByPasskey } from '../../api/passkeys.ts';
import { useSession } from '../../api/session.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { CodeInput } from '../../ui/form/code-input.tsx';
import { Form } from '../../ui/form/form.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useAct } from '../../ui/toast/act.ts';

/** Asks for the second factor of an account that has one and signed in by its password alone. */
export function Show({ onShown }: { onShown: () => void }): ReactNode {
  const { account } = useSession();
  const hindrance = passkeyHindrance();
  const usePasskey = useAct(async () => {
    if (await signInByPasskey()) onShown();
  });
  return (
    <>
      <PageHeader
        title={t('Confirm with your second factor')}
        description={t('Your password is right. For your account it is not enough alone.')}
      />
      {account.has_passkey &&
        (hindrance === null ? (
          <Button
            size="large"
            variant="primary"
            pending={usePasskey.isPending}
            onClick={() => usePasskey.mutate()}
          >
            <KeyRound size={18} aria-hidden /> {t('Use your passkey')}
          </Button>
        ) : (
          <Banner>{hindrance}</Banner>
        ))}
      {account.has_two_factor && (
        <Form
          label={t('Second factor')}
          onSend={async (values) => {
            await api('/console/account/confirm', { body: values });
            onShown();
          }}
        >
          <CodeInput autoFocus />
          <SubmitButton size="large">{t('Confirm')}</SubmitButton>
        </Form>
      )}
      <p className="text-sm text-quiet">
        {rich('Whoever runs this gateway can reset a factor that you have lost: {code}.', {
          code: <code>florin accounts reset-factors</code>,
        })}
      </p>
    </>
  );
}
