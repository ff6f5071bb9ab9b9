import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { leaveToSignIn } from '../../api/leave.ts';
import { type Session, sessionQuery } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { RecoveryCodes } from '../account/recovery-codes.tsx';
import { ConfirmIdentity } from '../confirm-identity/confirm-identity.tsx';
import { useEnter } from '../sign-in/enter.ts';
import { SetUp } from './set-up.tsx';
import { Show } from './show.tsx';

/** Where somebody whose account needs a second factor sets the first one up, or shows the one that there is. */
export function SecondFactorPage(): ReactNode {
  const session = useQuery(sessionQuery);
  if (session.isPending) return <Skeleton className="h-32 w-full" />;
  if (session.isError) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />;
  return <Steps session={session.data} />;
}

function Steps({ session: { missing_factor: missing } }: { session: Session }): ReactNode {
  const { next } = useSearch({ from: '/doors/second-factor' });
  const [codes, setCodes] = useState<string[] | null>(null);
  const enter = useEnter();
  return (
    <>
      {missing === 'set up' && <SetUp onCodes={setCodes} />}
      {missing === 'show' && <Show onShown={() => enter(next)} />}
      {missing === null && codes === null && <Enter next={next} />}
      {missing !== null && <SignOut />}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
      <ConfirmIdentity />
    </>
  );
}

/** Goes on to where the person came from. */
function Enter({ next }: { next: string | undefined }): ReactNode {
  const enter = useEnter();
  const go = useEffectEvent(() => enter(next));
  useEffect(() => go(), []);
  return null;
}

function SignOut(): ReactNode {
  const signOut = useAct(async () => {
    await api('/console/auth/sign-out', { body: {} });
    leaveToSignIn();
  });
  return (
    <div>
      <Button variant="link" pending={signOut.isPending} onClick={() => signOut.mutate()}>
        {t('Sign out')}
      </Button>
    </div>
  );
}
