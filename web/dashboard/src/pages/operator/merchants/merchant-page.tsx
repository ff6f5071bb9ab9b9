import { Link, useParams } from '@tanstack/react-router';
import { CirclePause } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { RoleName } from '../../../ui/display/role-name.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { IntegrationsTable } from './integrations-table.tsx';
import { type MerchantDetail, useMerchantDetail, useResumeMerchant } from './queries.ts';
import { SuspendDialog } from './suspend-dialog.tsx';

/** One business: its integrations and members, and suspending it. */
export function MerchantPage(): ReactNode {
  const { merchant = '' } = useParams({ strict: false });
  const [{ cursor }] = useOperatorSearch();
  const detail = useMerchantDetail(merchant, cursor);
  const [asking, setAsking] = useState<'suspend' | 'resume'>();
  const { mutateAsync: resume } = useResumeMerchant(merchant);
  const suspended = detail.data?.suspension;
  return (
    <>
      <PageHeader
        title={detail.data?.name ?? t('Business')}
        back={
          <Link to="/operator/merchants" className="hover:text-ink hover:underline">
            {t('Merchants')}
          </Link>
        }
        aside={
          suspended && (
            <Badge tone="lost" icon={CirclePause}>
              {t('Suspended')}
            </Badge>
          )
        }
        actions={
          detail.data &&
          (suspended ? (
            <Button onClick={() => setAsking('resume')}>{t('Resume')}</Button>
          ) : (
            <Button variant="danger" onClick={() => setAsking('suspend')}>
              {t('Suspend')}
            </Button>
          ))
        }
      />
      <Loaded query={detail}>{(data) => <Detail detail={data} />}</Loaded>
      {detail.data && asking === 'suspend' && (
        <SuspendDialog merchant={detail.data} onClose={() => setAsking(undefined)} />
      )}
      <ConfirmDialog
        open={asking === 'resume'}
        onClose={() => setAsking(undefined)}
        title={t('Resume the business?')}
        action={t('Resume the business')}
        onConfirm={() => resume()}
      >
        {t('The integrations that the suspension stopped take live payments again at once. No money moves.')}
      </ConfirmDialog>
    </>
  );
}

function Detail({ detail }: { detail: MerchantDetail }): ReactNode {
  const { suspension, integrations, members, created_at } = detail;
  return (
    <>
      {suspension && (
        <Banner tone="lost" title={t('No integration of this business takes live payments')}>
          {rich('Suspended {time}: {reason}', {
            time: <Time at={suspension.since} />,
            reason: suspension.reason,
          })}
        </Banner>
      )}
      <Section title={t('Integrations')}>
        {integrations.items.length === 0 ? (
          <p className="text-sm text-quiet">{t('This business has created no integration yet.')}</p>
        ) : (
          <IntegrationsTable withoutBusiness page={integrations} />
        )}
      </Section>
      <Section title={t('Members')}>
        <Table
          caption={t('Members and their roles')}
          columns={memberColumns}
          rows={members}
          rowKey={(each) => each.account_id}
        />
      </Section>
      <p className="text-sm text-quiet">{rich('Created {time}', { time: <Time at={created_at} exact /> })}</p>
    </>
  );
}

const memberColumns: Column<MerchantDetail['members'][number]>[] = [
  {
    key: 'email',
    head: t('E-mail'),
    grow: true,
    className: 'min-w-40',
    cell: ({ email }) => (
      <Link to="/operator/accounts" search={{ q: email }} className="row-link">
        {email}
      </Link>
    ),
  },
  { key: 'name', head: t('Name'), from: 'sm', className: 'whitespace-nowrap', cell: ({ name }) => name },
  { key: 'role', head: t('Role'), align: 'end', cell: ({ role }) => <RoleName role={role} /> },
];
