import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMerchant } from '../../api/scope.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { WhatStops } from './held.tsx';
import { invitationsPath, type Member, membersPath, merchantPath } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Changes a member's role. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { id } = useMerchant();
  const [role, setRole] = useState(member.role);
  return (
    <FormDialog
      onClose={onClose}
      title={t('The role of {name}', { name: member.name })}
      description={t('The new role counts from their next click.')}
      label={t('Role')}
      action={t('Change the role')}
      changes={[membersPath(id), invitationsPath(id), `${merchantPath(id)}/audit`, 'session']}
      onSend={async ({ role }) => {
        await api(`${membersPath(id)}/${member.account_id}`, { method: 'PATCH', body: { role } });
        return t('{name} is {role} now', { name: member.name, role: ofGateway(`${role}`) });
      }}
    >
      <RoleChoice chosen={member.role} onChange={setRole} />
      {role !== member.role && <WhatStops member={member} role={role} />}
    </FormDialog>
  );
}
