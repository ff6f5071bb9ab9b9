import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { actOnUser, type UserAct, usersPath, type WalletUserDetail } from './queries.ts';

type Words = { title: string; about: string; action: string; done: string };

const words: Record<UserAct, Words> = {
  freeze: {
    title: t('Freeze the wallet?'),
    about: t(
      'Nothing is sent, paid or withdrawn from it any more. What is under way goes on, and what comes is booked.',
    ),
    action: t('Freeze'),
    done: t('The wallet is frozen.'),
  },
  unfreeze: {
    title: t('Unfreeze the wallet?'),
    about: t('The user may send, pay and withdraw again at once.'),
    action: t('Unfreeze'),
    done: t('The wallet is open again.'),
  },
  level: {
    title: t('Change the level?'),
    about: t('The limits of the new level apply from the next send, payment or withdrawal on.'),
    action: t('Change the level'),
    done: t('The level was changed.'),
  },
  'ask-level': {
    title: t('Ask the KYC provider?'),
    about: t('The level becomes what the provider answers. Without an answer it stays as it is.'),
    action: t('Ask'),
    done: t('The provider has answered.'),
  },
  'end-sessions': {
    title: t('End all sessions?'),
    about: t('The user has to sign in again on every device.'),
    action: t('End the sessions'),
    done: t('The sessions have ended.'),
  },
};

const needsReason: readonly UserAct[] = ['freeze', 'unfreeze', 'level'];
const levels = ['0', '1', '2', '3'].map((value) => ({ value, label: value }));

/** Asks before an operator does something with a user's wallet, and why. */
export function ActDialog({
  act,
  user,
  onClose,
}: {
  act: UserAct;
  user: WalletUserDetail;
  onClose: () => void;
}): ReactNode {
  const { title, about, action, done } = words[act];

  async function send({ reason, level }: Record<string, string>): Promise<string> {
    const chosen = act === 'level' ? { level: Number.parseInt(level ?? '', 10) } : {};
    await actOnUser(user.id, act, needsReason.includes(act) ? { ...chosen, reason } : {});
    return done;
  }

  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={about}
      onSend={send}
      action={action}
      danger={act === 'freeze'}
      changes={[usersPath]}
    >
      {act === 'level' && (
        <Select name="level" label={t('Level')} choices={levels} defaultValue={`${user.level}`} />
      )}
      {needsReason.includes(act) && (
        <Textarea
          name="reason"
          label={t('Reason')}
          help={t('Operators read it.')}
          required
          maxLength={1000}
        />
      )}
    </FormDialog>
  );
}
