import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMerchant } from '../../api/scope.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { WhatStops } from './held.tsx';
import { KeysMade } from './keys-made.tsx';
import { invitationsPath, type Member, type MemberRole, membersPath, merchantPath } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Changes a member's role, and revokes the chosen ones of the keys that they made. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { id } = useMerchant();
  const [role, setRole] = useState(member.role);
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const changed = { merchantId: id, accountId: member.account_id, role };

  function choose(next: MemberRole): void {
    setRole(next);
    // Another role may show no keys at all.
    setRevoked([]);
  }

  return (
    <FormDialog
      wide
      onClose={onClose}
      title={t('The role of {name}', { name: member.name })}
      description={t('The new role counts from their next click.')}
      label={t('Role')}
      action={t('Change the role')}
      changes={[membersPath(id), invitationsPath(id), `${merchantPath(id)}/audit`, 'session']}
      onSend={async ({ role }) => {
        const body = { role, revoke_keys: revoked };
        await api(`${membersPath(id)}/${member.account_id}`, { method: 'PATCH', body });
        return t('{name} is {role} now', { name: member.name, role: ofGateway(`${role}`) });
      }}
    >
      <RoleChoice chosen={member.role} onChange={choose} />
      {role !== member.role && (
        <>
          <WhatStops changed={changed} />
          <KeysMade changed={changed} chosen={revoked} onChange={setRevoked} />
        </>
      )}
    </FormDialog>
  );
}
