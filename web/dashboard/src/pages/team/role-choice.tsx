import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { RoleName } from '../../ui/display/role-name.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { type MemberRole, memberRoles } from './queries.ts';

const words: Record<MemberRole, string> = {
  owner: t('Everything, including the team.'),
  developer: t('Integrations, keys, webhooks and test mode. No payouts, no appeals.'),
  finance: t('Reads and exports, funds users, decides appeals.'),
  support: t('Reads and cancels payments, sends webhooks again, answers appeals.'),
  'read-only': t('Reads everything, changes nothing.'),
};

type RoleChoiceProps = { chosen?: MemberRole; onChange?: (role: MemberRole) => void };

/** The field `role` of a form. */
export function RoleChoice({ chosen, onChange }: RoleChoiceProps): ReactNode {
  return (
    <RadioGroup
      name="role"
      label={t('Role')}
      required
      {...(onChange === undefined ? {} : { onChange })}
      {...(chosen === undefined ? {} : { defaultValue: chosen })}
      choices={memberRoles.map((role) => ({
        value: role,
        label: <RoleName role={role} />,
        help: words[role],
      }))}
    />
  );
}
