import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { type AccountLine, accountsPath, closeAccount, endSessions, setOperator } from './queries.ts';

export type AccountAct = { act: 'lift' | 'lower' | 'sign-out' | 'close'; account: AccountLine };

const words = {
  lift: {
    title: t('Make an operator?'),
    action: t('Make an operator'),
    done: t('Made an operator'),
    about: t('sees every business from now on, approves and suspends, and changes fees and currencies.'),
    run: (id: string) => setOperator(id, true),
  },
  lower: {
    title: t('Take operator rights away?'),
    action: t('Take away'),
    done: t('No longer an operator'),
    about: t('sees only their own businesses from now on.'),
    run: (id: string) => setOperator(id, false),
  },
  'sign-out': {
    title: t('Sign out everywhere?'),
    action: t('Sign out'),
    done: t('Signed out everywhere'),
    about: t('has to sign in again on every device. Their API keys keep working.'),
    run: endSessions,
  },
  close: {
    title: t('Close the account?'),
    action: t('Close it for ever'),
    done: t('Account closed'),
    about: t('can no longer sign in, and their name and address are removed. This cannot be undone.'),
    run: closeAccount,
  },
};

/** Asks before an act on somebody's account. */
export function AccountDialog({ act, account, onClose }: AccountAct & { onClose: () => void }): ReactNode {
  const { title, action, done, about, run } = words[act];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      action={action}
      danger={act !== 'lift'}
      onConfirm={() => run(account.id)}
      done={(outcome) => outcomeWords(outcome, done)}
      changes={[accountsPath, 'session']}
    >
      <p>
        <b className="font-semibold wrap-anywhere">{account.email}</b> {about}
      </p>
    </ConfirmDialog>
  );
}
