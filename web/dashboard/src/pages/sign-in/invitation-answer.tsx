import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Joined } from '../../../../../gateway/src/identity/console/answers/team.ts';
import { api } from '../../api/client.ts';
import { signInAddress } from '../../api/sign-in-address.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { useEnter } from './enter.ts';
import type { Invitation } from './invitation.ts';

export type InvitationAnswerProps = {
  invitation: Invitation;
  token: string;
  signedInAs: string | null;
};

/** The actions on an invitation: accept it, or first sign in or up with its address. */
export function InvitationAnswer({ invitation, token, signedInAs }: InvitationAnswerProps): ReactNode {
  if (signedInAs === invitation.email) return <Accept token={token} />;
  if (signedInAs !== null) return <WrongPerson email={invitation.email} signedInAs={signedInAs} />;
  const search = { next: `/invitation/${token}`, email: invitation.email };
  return invitation.has_account ? (
    <a href={signInAddress(search)} className={buttonClass('primary', 'large')}>
      {t('Sign in to accept')}
    </a>
  ) : (
    <Link to="/sign-up" search={search} className={buttonClass('primary', 'large')}>
      {t('Create an account to accept')}
    </Link>
  );
}

function Accept({ token }: { token: string }): ReactNode {
  const enter = useEnter();
  const accept = useAct(
    async () => {
      const path = '/console/account/invitations/accept';
      const { merchant } = await api<Joined>(path, { body: { token } });
      enter(`/m/${merchant.id}/integrations`);
      return merchant;
    },
    { done: ({ name }) => t('You are a member of {name} now', { name }) },
  );
  return (
    <Button variant="primary" size="large" pending={accept.isPending} onClick={() => accept.mutate()}>
      {t('Accept the invitation')}
    </Button>
  );
}

function WrongPerson({ email, signedInAs }: { email: string; signedInAs: string }): ReactNode {
  const queries = useQueryClient();
  const signOut = useAct(async () => {
    await api('/console/auth/sign-out', { body: {} });
    await queries.resetQueries();
  });
  return (
    <>
      <Banner tone="waiting" title={t('This invitation is for somebody else')}>
        {t(
          'You are signed in as {signedInAs}. Sign in as {email} to accept it, or ask for an invitation to your own address.',
          { signedInAs, email },
        )}
      </Banner>
      <Button size="large" pending={signOut.isPending} onClick={() => signOut.mutate()}>
        {t('Sign out')}
      </Button>
    </>
  );
}
