import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { WhatStops } from './held.tsx';
import { KeysMade } from './keys-made.tsx';
import { invitationsPath, type Member, membersPath, merchantPath } from './queries.ts';

/** Removes a member from the team, and revokes the chosen ones of their keys; the member may be the person themselves. */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { id, name } = useMerchant();
  const { account } = useSession();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const isSelf = member.account_id === account.id;
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const changed = { merchantId: id, accountId: member.account_id };

  async function remove(): Promise<void> {
    await api(`${membersPath(id)}/${member.account_id}`, {
      method: 'DELETE',
      body: { revoke_keys: revoked },
    });
    toast(
      isSelf ? t('You left {name}', { name }) : t('{name} is no longer in the team', { name: member.name }),
    );
    if (isSelf) await navigate({ to: '/account' });
    await refresh(membersPath(id), invitationsPath(id), `${merchantPath(id)}/audit`, 'session');
  }

  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={isSelf ? t('Leave {name}?', { name }) : t('Remove {name}?', { name: member.name })}
      action={isSelf ? t('Leave the business') : t('Remove from the team')}
      onConfirm={remove}
    >
      <p>
        {isSelf
          ? t('You lose access to {name} at once, and open invitations that you sent stop working.', { name })
          : t('{email} loses access to {name} at once, and open invitations that they sent stop working.', {
              email: member.email,
              name,
            })}
      </p>
      <WhatStops changed={changed} />
      <KeysMade changed={changed} chosen={revoked} onChange={setRevoked} />
    </ConfirmDialog>
  );
}
