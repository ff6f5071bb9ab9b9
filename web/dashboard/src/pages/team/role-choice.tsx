import type { ReactNode } from 'react';
import { RoleName } from '../../ui/display/role-name.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { type MemberRole, memberRoles } from './queries.ts';

const words: Record<MemberRole, string> = {
  owner: 'Everything, and the team itself.',
  developer: 'Integrations, keys, webhooks and test mode. No payouts, no appeals.',
  finance: 'Reads and exports, pays users out, decides appeals.',
  support: 'Looks payments up, cancels them, sends webhooks again, answers appeals.',
  'read-only': 'Looks, and changes nothing.',
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
