import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { type MerchantSummary, useSession } from '../../api/session.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { RoleName } from '../../ui/display/role-name.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { WhatStops } from '../team/held.tsx';
import { KeysMade } from '../team/keys-made.tsx';
import { accountPath } from './queries.ts';

/** The person's businesses, each with a button to leave it. */
export function Memberships(): ReactNode {
  const { merchants } = useSession();
  const [leaving, setLeaving] = useState<MerchantSummary | null>(null);
  const columns: Column<MerchantSummary>[] = [
    {
      key: 'name',
      head: t('Business'),
      grow: true,
      cell: ({ id, name }) => (
        <Link to="/m/$merchant/team" params={{ merchant: id }} className={buttonClass('link')}>
          <span className="truncate">{name}</span>
        </Link>
      ),
    },
    { key: 'role', head: t('Your role'), cell: ({ role }) => <RoleName role={role} /> },
    {
      key: 'leave',
      head: <span className="sr-only">{t('Acts')}</span>,
      align: 'end',
      cell: (merchant) => (
        <Button size="small" variant="plain" onClick={() => setLeaving(merchant)}>
          {rich('Leave{span}', { span: <span className="sr-only"> {merchant.name}</span> })}
        </Button>
      ),
    },
  ];
  return (
    <Section
      title={t('Businesses')}
      actions={
        <Link to="/new-business" className={buttonClass('quiet', 'small')}>
          {t('New business')}
        </Link>
      }
    >
      {merchants.length > 0 ? (
        <Table caption={t('Your businesses')} columns={columns} rows={merchants} rowKey={({ id }) => id} />
      ) : (
        <p className="text-sm text-quiet">
          {t('You belong to no business yet. Create one, or ask somebody to invite you to theirs.')}
        </p>
      )}
      {leaving && <Leave merchant={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  );
}

function Leave({ merchant, onClose }: { merchant: MerchantSummary; onClose: () => void }): ReactNode {
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { account } = useSession();
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const changed = { merchantId: merchant.id, accountId: account.id };
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('Leave {name}?', { name: merchant.name })}
      action={t('Leave the business')}
      onConfirm={async () => {
        const body = { revoke_keys: revoked };
        await api(`${accountPath}/merchants/${merchant.id}`, { method: 'DELETE', body });
        await navigate({ to: '/account', replace: true });
        await refresh('session');
        toast(t('You left {name}', { name: merchant.name }));
      }}
    >
      <p>
        {t(
          'You will no longer see its payments and integrations. To come back, somebody there has to invite you. No money moves.',
        )}
      </p>
      <WhatStops changed={changed} />
      <KeysMade changed={changed} chosen={revoked} onChange={setRevoked} />
    </ConfirmDialog>
  );
}
