import type { ReactNode } from 'react';
import { RoleName } from '../../ui/display/role-name.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { type MemberRole, memberRoles } from './queries.ts';

const words: Record<MemberRole, string> = {
  owner: 'Everything, including the team.',
  developer: 'Integrations, keys, webhooks and test mode. No payouts, no appeals.',
  finance: 'Reads and exports, funds users, decides appeals.',
  support: 'Reads and cancels payments, sends webhooks again, answers appeals.',
  'read-only': 'Reads everything, changes nothing.',
};

/** The field `role` of a form. */
export function RoleChoice({ chosen }: { chosen?: MemberRole }): ReactNode {
  return (
    <RadioGroup
      name="role"
      label="Role"
      required
      {...(chosen === undefined ? {} : { defaultValue: chosen })}
      choices={memberRoles.map((role) => ({
        value: role,
        label: <RoleName role={role} />,
        help: words[role],
      }))}
    />
  );
}
