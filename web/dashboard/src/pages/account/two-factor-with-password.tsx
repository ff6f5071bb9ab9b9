import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordInput } from '../../ui/form/password-input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { accountPath, activityPath } from './queries.ts';

export type TwoFactorWithPasswordProps<Result> = {
  title: string;
  description: string;
  /** The path below `/console/account`; its call takes the password. */
  path: string;
  /** The password is all that the account has, so it also answers where the gateway asks who it is. */
  isProof?: boolean;
  action: string;
  done?: string;
  danger?: boolean;
  onClose: () => void;
  /** Called instead of closing. */
  onDone?: (result: Result) => void;
};

/** A change of two-factor sign-in that needs the password. */
export function TwoFactorWithPassword<Result>(props: TwoFactorWithPasswordProps<Result>): ReactNode {
  const { title, description, path, isProof = false, action, done, danger = false, onClose, onDone } = props;
  const refresh = useRefresh();
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <Form
        label={title}
        onSend={async (values) => {
          const proof = isProof ? { proof: { password: values.password ?? '' } } : {};
          const result = await api<Result>(`${accountPath}${path}`, { body: values, ...proof });
          if (onDone) onDone(result);
          else onClose();
          if (done !== undefined) toast(done);
          await refresh('session', activityPath);
        }}
      >
        <PasswordInput label={t('Password')} name="password" autoComplete="current-password" required />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton variant={danger ? 'danger' : 'primary'}>{action}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
