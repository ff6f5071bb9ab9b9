import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Time } from '../../ui/display/time.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { amountWords, buttonSnippet, type LinkData } from './queries.ts';
import { Share } from './share.tsx';
import { LinkStatus } from './status.tsx';

export type LinkDrawerProps = { link: LinkData | undefined; onClose: () => void };

/** One payment link: how to share it, what came of it, and whether it goes on. */
export function LinkDrawer({ link, onClose }: LinkDrawerProps): ReactNode {
  const { integrationId, mode } = useScope();
  return (
    <Drawer
      open={link !== undefined}
      onClose={onClose}
      title={link?.title ?? 'Payment link'}
      aside={link && <LinkStatus status={link.status} />}
      footer={link && <Change link={link} />}
    >
      {link && (
        <>
          <Share url={link.url} name={link.title} snippet={buttonSnippet(link)} />
          <DefinitionList
            facts={[
              ['Amount', amountWords(link)],
              ['For', link.one_use ? 'One payment' : 'Any number of payments'],
              ['Uses', `${link.uses}`],
              ['Revenue', <Money key="revenue" amount={link.revenue} currency={link.currency} />],
              ['Made', <Time key="made" at={link.created_at} />],
              ...(link.expires_at
                ? [['Expires', <Time key="expires" at={link.expires_at} />] as [string, ReactNode]]
                : []),
            ]}
          />
          <p>
            <Link
              to="/i/$integration/$mode/payments"
              params={{ integration: integrationId, mode }}
              search={{ link: link.id }}
              className={buttonClass()}
            >
              Its payments
            </Link>
          </p>
        </>
      )}
    </Drawer>
  );
}

/** Stops a link after a question, or lets it go on. */
function Change({ link }: { link: LinkData }): ReactNode {
  const may = useMay('create payments');
  const { path } = useScope();
  const refresh = useRefresh();
  const [asks, setAsks] = useState(false);
  const isStopped = link.status === 'stopped';

  async function change(): Promise<void> {
    await api(path(`/payment-links/${link.id}`), { method: 'PATCH', body: { active: isStopped } });
    toast(isStopped ? `${link.title} takes payments again` : `${link.title} is stopped`);
    await refresh(path('/payment-links'));
    setAsks(false);
  }

  if (!may || !['active', 'stopped'].includes(link.status)) return null;
  return (
    <>
      <Button onClick={() => setAsks(true)}>{isStopped ? 'Take payments again' : 'Stop the link'}</Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={isStopped ? 'Take payments again?' : 'Stop this link?'}
        action={isStopped ? 'Take payments' : 'Stop'}
        onConfirm={change}
      >
        {isStopped
          ? 'Whoever has the link can pay by it from now on.'
          : 'No new payment is made by it. Payments that are open go on.'}
      </ConfirmDialog>
    </>
  );
}
