import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Form } from '../../ui/form/form.tsx';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { PasswordInput } from '../../ui/form/password-input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { Passkeys } from './passkey-list.tsx';
import { accountPath, activityPath, sessionsPath } from './queries.ts';
import { TwoFactor } from './two-factor.tsx';

/** Password, second factor and passkeys. */
export function SecurityTab(): ReactNode {
  return (
    <>
      <Passkeys />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TwoFactor />
        <PasswordCard />
      </div>
    </>
  );
}

function PasswordCard(): ReactNode {
  const { account } = useSession();
  const refresh = useRefresh();
  return (
    <Card title={t('Password')} description={t('A change signs you out everywhere else.')}>
      <Form
        label={t('Password')}
        onSend={async (values, form) => {
          await api(`${accountPath}/password`, { body: values });
          form.reset();
          toast(t('Password changed, and other sessions ended'));
          await refresh(sessionsPath, activityPath);
        }}
      >
        <input type="hidden" autoComplete="username" value={account.email} readOnly />
        <PasswordInput
          label={t('Current password')}
          name="current_password"
          autoComplete="current-password"
          required
        />
        <NewPassword name="new_password" label={t('New password')} />
        <div>
          <SubmitButton variant="quiet">{t('Change the password')}</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
