import type { ReactNode } from 'react';
import { useMerchant } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { RoleName } from '../../ui/display/role-name.tsx';
import { RoleWords } from '../../ui/display/role-words.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { type MemberRole, memberRoles, useRoles } from './queries.ts';

type RoleChoiceProps = { chosen?: MemberRole; onChange?: (role: MemberRole) => void };

/** The field `role` of a form, with what each role may do. */
export function RoleChoice({ chosen, onChange }: RoleChoiceProps): ReactNode {
  const { items = [], permissions = [] } = useRoles(useMerchant().id).data ?? {};
  const wordsOf = (role: MemberRole): ReactNode => {
    const named = items.find((each) => each.role === role)?.permissions;
    return named && <RoleWords permissions={permissions.filter(({ name }) => named.includes(name))} />;
  };
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
        help: wordsOf(role),
      }))}
    />
  );
}
