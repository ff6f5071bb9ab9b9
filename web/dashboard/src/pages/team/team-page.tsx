import { UserPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { Members } from './members.tsx';
import { Roles } from './roles.tsx';

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
      <Members />
      {may && <Invitations />}
      <Roles />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  );
}

function whyNot(may: boolean, isConfirmed: boolean): string | undefined {
  if (!may) return t('Only owners invite people');
  return isConfirmed ? undefined : t('Confirm your e-mail address first');
}
