import { getRouteApi } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { Members } from './members.tsx';
import { useInvitations, useMembers, useRoles } from './queries.ts';
import { Roles } from './roles.tsx';

const route = getRouteApi('/shell/m/$merchant/team');

/** The members of a business, its open invitations, and what each role may do. */
export function TeamPage(): ReactNode {
  const { name } = useMerchant();
  const { account } = useSession();
  const may = useMay('manage the team');
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title={t('Team')}
        description={t('Who works at {name}, and what they may do.', { name })}
        actions={
          <Button
            variant="primary"
            disabled={!may || !account.email_verified}
            title={whyNot(may, account.email_verified)}
            onClick={() => setInviting(true)}
          >
            <UserPlus size={16} aria-hidden /> {t('Invite somebody')}
          </Button>
        }
      />
      <Lists mayManage={may} />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  );
}

/** All lists of a team at once: one that comes later would move those below it. */
function Lists({ mayManage }: { mayManage: boolean }): ReactNode {
  const { id } = useMerchant();
  const { cursor } = route.useSearch();
  const invitations = useInvitations(id, mayManage);
  const isPending = [useMembers(id, cursor), useRoles(id)].some((list) => list.isPending);
  if (isPending || (mayManage && invitations.isPending)) return <SkeletonRows />;
  return (
    <>
      <Members />
      {mayManage && <Invitations />}
      <Roles />
    </>
  );
}

function whyNot(may: boolean, isConfirmed: boolean): string | undefined {
  if (!may) return t('Only owners invite people');
  return isConfirmed ? undefined : t('Confirm your e-mail address first');
}
