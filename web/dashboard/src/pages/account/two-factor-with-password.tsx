import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { PasswordInput } from '../../ui/form/password-input.tsx';
import { accountPath, activityPath } from './queries.ts';

export type TwoFactorWithPasswordProps<Result> = {
  title: string;
  description: string;
  /** The path below `/console/account`; its call takes the password. */
  path: string;
  /** The password is all that the account has, so it also answers where the gateway asks who it is. */
  isProof?: boolean;
  action: string;
  /** What the toast says, where it then closes. */
  done?: string;
  danger?: boolean;
  onClose: () => void;
  /** Takes the answer, and closes it. */
  onDone?: (result: Result) => void;
};

/** A change of two-factor sign-in that needs the password. */
export function TwoFactorWithPassword<Result>(props: TwoFactorWithPasswordProps<Result>): ReactNode {
  const { title, description, path, isProof = false, action, done, danger = false, onClose, onDone } = props;
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={description}
      label={title}
      action={action}
      danger={danger}
      changes={['session', activityPath]}
      onSend={async (values) => {
        const proof = isProof ? { proof: { password: values.password ?? '' } } : {};
        const result = await api<Result>(`${accountPath}${path}`, { body: values, ...proof });
        onDone?.(result);
        return done ?? null;
      }}
    >
      <PasswordInput label={t('Password')} name="password" autoComplete="current-password" required />
    </FormDialog>
  );
}
