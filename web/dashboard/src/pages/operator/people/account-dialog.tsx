import type { ReactNode } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { toastOutcome } from '../../../ui/toast/done.ts';
import { type AccountLine, accountsPath, closeAccount, endSessions, setOperator } from './queries.ts';

export type AccountAct = { act: 'lift' | 'lower' | 'sign-out' | 'close'; account: AccountLine };

const words = {
  lift: {
    title: 'Make an operator?',
    action: 'Make an operator',
    done: 'Made an operator',
    about: 'sees every business from now on, approves and suspends, and changes fees and currencies.',
    run: (id: string) => setOperator(id, true),
  },
  lower: {
    title: 'Take operator rights away?',
    action: 'Take away',
    done: 'No longer an operator',
    about: 'sees only their own businesses from now on.',
    run: (id: string) => setOperator(id, false),
  },
  'sign-out': {
    title: 'Sign out everywhere?',
    action: 'Sign out',
    done: 'Signed out everywhere',
    about: 'has to sign in again on every device. Their API keys keep working.',
    run: endSessions,
  },
  close: {
    title: 'Close the account?',
    action: 'Close it for ever',
    done: 'Account closed',
    about: 'can no longer sign in, and their name and address are removed. This cannot be undone.',
    run: closeAccount,
  },
};

/** Asks before an act on somebody's account. */
export function AccountDialog({ act, account, onClose }: AccountAct & { onClose: () => void }): ReactNode {
  const { title, action, done, about, run } = words[act];
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      action={action}
      danger={act !== 'lift'}
      onConfirm={async () => {
        toastOutcome(await run(account.id), done);
        await refresh(accountsPath, 'session');
      }}
    >
      <p>
        <b className="font-semibold wrap-anywhere">{account.email}</b> {about}
      </p>
    </ConfirmDialog>
  );
}
