import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMerchant } from '../../api/scope.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { WhatStops } from './held.tsx';
import { invitationsPath, type Member, membersPath, merchantPath } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Changes a member's role. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { id } = useMerchant();
  const refresh = useRefresh();
  const [role, setRole] = useState(member.role);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('The role of {name}', { name: member.name })}
      description={t('The new role counts from their next click.')}
    >
      <Form
        label={t('Role')}
        onSend={async ({ role }) => {
          await api(`${membersPath(id)}/${member.account_id}`, { method: 'PATCH', body: { role } });
          onClose();
          toast(t('{name} is {role} now', { name: member.name, role: ofGateway(`${role}`) }));
          await refresh(membersPath(id), invitationsPath(id), `${merchantPath(id)}/audit`, 'session');
        }}
      >
        <RoleChoice chosen={member.role} onChange={setRole} />
        {role !== member.role && <WhatStops member={member} role={role} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton>{t('Change the role')}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
