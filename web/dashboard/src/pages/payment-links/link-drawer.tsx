import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Share } from '../payments/new/share.tsx';
import { ButtonForPage } from './button-for-page.tsx';
import { amountWords, type LinkData, paidInWords } from './queries.ts';
import { LinkStatus } from './status.tsx';

export type LinkDrawerProps = { link: LinkData; onClose: () => void };

/** One payment link: how to share it, what came of it, and whether it goes on. */
export function LinkDrawer({ link, onClose }: LinkDrawerProps): ReactNode {
  const { integrationId, mode } = useScope();
  return (
    <Drawer
      open
      onClose={onClose}
      title={link.title}
      aside={<LinkStatus status={link.status} />}
      footer={<Change link={link} />}
    >
      <Share url={link.url} name={link.title} />
      <DefinitionList
        facts={[
          [t('Amount'), amountWords(link)],
          [t('Paid in'), paidInWords(link)],
          [t('For'), link.one_use ? t('One payment') : t('Any number of payments')],
          [t('Uses'), `${link.uses}`],
          [t('Revenue'), <Money key="revenue" amount={link.revenue} currency={link.currency} />],
          [t('Created'), <Time key="made" at={link.created_at} />],
          [t('Expires'), link.expires_at && <Time key="expires" at={link.expires_at} />],
        ]}
      />
      <p>
        <Link
          to="/i/$integration/$mode/payments"
          params={{ integration: integrationId, mode }}
          search={{ link: link.id }}
          className={buttonClass()}
        >
          {t('Its payments')}
        </Link>
      </p>
      <ButtonForPage link={link} />
    </Drawer>
  );
}

/** Stops a link after a question, or lets it go on. */
function Change({ link }: { link: LinkData }): ReactNode {
  const may = useMay('create payments');
  const { path } = useScope();
  const [asks, setAsks] = useState(false);
  const isStopped = link.status === 'stopped';

  if (!may || !['active', 'stopped'].includes(link.status)) return null;
  return (
    <>
      <Button onClick={() => setAsks(true)}>
        {isStopped ? t('Take payments again') : t('Stop the link')}
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={isStopped ? t('Take payments again?') : t('Stop this link?')}
        action={isStopped ? t('Take payments') : t('Stop')}
        onConfirm={() =>
          api(path(`/payment-links/${link.id}`), { method: 'PATCH', body: { active: isStopped } })
        }
        done={
          isStopped
            ? t('{title} takes payments again', { title: link.title })
            : t('{title} is stopped', { title: link.title })
        }
        changes={[path('/payment-links')]}
      >
        {isStopped
          ? t('Whoever has the link can pay by it from now on.')
          : t('No new payment is created by it. Payments that are open go on.')}
      </ConfirmDialog>
    </>
  );
}
