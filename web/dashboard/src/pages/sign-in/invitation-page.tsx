import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { RoleName } from '../../ui/display/role-name.tsx';
import { RoleWords } from '../../ui/display/role-words.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { Invitation } from './invitation.ts';
import { InvitationAnswer } from './invitation-answer.tsx';

/** The page of an invitation's link: who invites to which business, and how to accept. */
export function InvitationPage(): ReactNode {
  const { token } = useParams({ from: '/doors/invitation/$token' });
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api<Invitation>('/console/auth/invitation', { body: { token } }),
  });
  const session = useQuery({ ...sessionQuery, retry: false });
  const { data, error } = invitation;
  return (
    <>
      <PageHeader
        title={data ? t('Join {name}', { name: data.merchant.name }) : t('Join a business')}
        description={
          data && t('{name} invites you to work with them on Florin.', { name: data.invited_by.name })
        }
      />
      {error && (
        <Banner tone="lost" role="alert" title={messageOf(error)}>
          {t('The person who invited you can send it again.')}
        </Banner>
      )}
      {!data && !error && <Skeleton className="h-32 w-full" />}
      {data && (
        <DefinitionList
          facts={[
            [t('Business'), data.merchant.name],
            [t('Your role'), <RoleName key="role" role={data.role} />],
            [t('Invited by'), data.invited_by.email],
            [t('For'), data.email],
            [t('Ends'), <Time key="until" at={data.expires_at} />],
          ]}
        />
      )}
      {data && (
        <p className="text-sm text-quiet">
          <RoleWords permissions={data.permissions} />
        </p>
      )}
      {data && !session.isPending && (
        <InvitationAnswer invitation={data} token={token} signedInAs={session.data?.account.email ?? null} />
      )}
    </>
  );
}
