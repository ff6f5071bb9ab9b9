import { useNavigate } from '@tanstack/react-router';
import { BanknoteArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { t } from '../../texts/t.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Select } from '../../ui/form/select.tsx';
import { List } from '../../ui/list/list.tsx';
import { WaitingTransfers } from '../own-wallet/waiting-transfers.tsx';
import { ApprovalCards } from './approval-cards.tsx';
import { payoutColumns } from './payout-columns.tsx';
import { PayoutDrawer } from './payout-drawer.tsx';
import { usePayouts } from './queries.ts';
import { useMerchantSide } from './side.ts';
import { statusChoices } from './status.tsx';

type Search = { status?: string; cursor?: string; open?: string };

/** What left the balance and what is about to: first what waits for approval, then all, newest first. */
export function PayoutsTab({ search }: { search: Search }): ReactNode {
  const navigate = useNavigate();
  const side = useMerchantSide();
  const waiting = usePayouts({ status: 'awaiting_approval' });
  const payouts = usePayouts({ status: search.status, cursor: search.cursor });
  const change = (patch: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: changeSearch(patch) });
  const isDrawer = search.open !== undefined && search.open !== 'withdraw' && search.open !== 'fund-user';
  return (
    <>
      {waiting.data && <ApprovalCards side={side} payouts={waiting.data.items} />}
      <WaitingTransfers />
      <div className="max-w-xs">
        <Select
          label={t('Status')}
          value={search.status ?? ''}
          onChange={({ target }) => change({ status: target.value, cursor: undefined })}
          choices={[{ value: '', label: t('All') }, ...statusChoices]}
        />
      </div>
      <List
        list={payouts}
        caption={t('Payouts')}
        columns={payoutColumns()}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={BanknoteArrowUp} title={t('No payout yet')}>
            {t(
              'Withdraw sends part of your balance to an address. Servers order payouts with POST /payouts.',
            )}
          </EmptyState>
        }
      />
      <PayoutDrawer
        side={side}
        id={isDrawer ? search.open : undefined}
        onClose={() => change({ open: undefined })}
      />
    </>
  );
}
