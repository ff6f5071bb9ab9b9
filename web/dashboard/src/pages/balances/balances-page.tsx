import { useNavigate, useSearch } from '@tanstack/react-router';
import { BanknoteArrowUp, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { amountText } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Stat } from '../../ui/display/stat.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useMerchantAttention } from '../attention/queries.ts';
import { DirectTab } from '../own-wallet/direct-tab.tsx';
import { useOwnAddresses } from '../own-wallet/queries.ts';
import { PayoutsTab } from '../payouts/payouts-tab.tsx';
import { TopUpTab } from '../payouts/top-up-tab.tsx';
import { useWaitingPayouts, WaitingBanner } from '../payouts/waiting-banner.tsx';
import { WithdrawDrawer } from '../payouts/withdraw-drawer.tsx';
import { AssetsTable } from './assets-table.tsx';
import { FundUserDrawer } from './fund-user-drawer.tsx';
import { Lines } from './lines.tsx';
import { type Balances, useBalances, useLines } from './queries.ts';
import type { BalancesSearch, BalancesTab } from './search.ts';
import { Statements } from './statements.tsx';

/** The balances of the business, the lines that changed them, and its monthly statements. */
export function BalancesPage(): ReactNode {
  const search: BalancesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { mode, integration, integrationId } = useScope();
  const attention = useMerchantAttention(integrationId, mode).data;
  const mayFund = useMay('fund users');
  const mayPayOut = useMay('make payouts');
  const balances = useBalances();
  // They load beside the balances, below which they are shown.
  const lines = useLines(search);
  // What stands above other things comes with them, or it would move them.
  const waiting = useWaitingPayouts();
  const own = useOwnAddresses();
  const isDirect = search.tab === 'direct' || (own.data !== undefined && own.data.settlement !== 'off');
  const isLoading = own.isLoading || (balances.data === undefined && !balances.isError) || waiting.isLoading;
  const isClosed = mode === 'live' && integration.approval !== 'approved';

  const show = (open: string | undefined) => void navigate({ to: '.', search: changeSearch({ open }) });
  const choose = (tab: BalancesTab) => void navigate({ to: '.', search: tab === 'lines' ? {} : { tab } });

  return (
    <>
      <PageHeader
        title={t('Balances')}
        description={t(
          'What your payments have brought in, after fees, in each asset. Withdraw it to an address of yours.',
        )}
        actions={
          !isClosed && (
            <>
              {mayFund && (
                <Button onClick={() => show('fund-user')}>
                  <Send size={16} aria-hidden /> {t('Fund a user')}
                </Button>
              )}
              {mayPayOut && (
                <Button variant="primary" onClick={() => show('withdraw')}>
                  <BanknoteArrowUp size={16} aria-hidden /> {t('Withdraw')}
                </Button>
              )}
            </>
          )
        }
      />
      {balances.isError && !balances.data ? (
        <ErrorState error={balances.error} onRetry={() => balances.refetch()} />
      ) : (
        <>
          <Totals balances={isLoading ? undefined : balances.data} />
          {!isLoading && balances.data && <AssetsTable balances={balances.data.items} />}
        </>
      )}
      {!isLoading && mayPayOut && search.tab !== 'payouts' && <WaitingBanner />}
      {!isLoading && (
        <Tabs
          label={t('Balances in detail')}
          value={search.tab ?? 'lines'}
          onChange={choose}
          tabs={[
            { value: 'lines', label: t('Lines'), content: <Lines search={search} lines={lines} /> },
            {
              value: 'payouts',
              label: t('Payouts'),
              content: <PayoutsTab search={search} />,
              waits: attention?.payouts,
            },
            { value: 'top-up', label: t('Top up'), content: <TopUpTab closed={isClosed} /> },
            ...(isDirect
              ? [
                  {
                    value: 'direct' as const,
                    label: t('To your own wallet'),
                    content: <DirectTab search={search} />,
                  },
                ]
              : []),
            { value: 'statements', label: t('Statements'), content: <Statements search={search} /> },
          ]}
        />
      )}
      {mayPayOut && (
        <WithdrawDrawer
          open={search.open === 'withdraw' && !isClosed}
          onClose={() => show(undefined)}
          onOrdered={() => void navigate({ to: '.', search: { tab: 'payouts' } })}
        />
      )}
      {mayFund && balances.data && (
        <FundUserDrawer
          open={search.open === 'fund-user' && !isClosed}
          onClose={() => show(undefined)}
          balances={balances.data.items}
        />
      )}
    </>
  );
}

function Totals({ balances }: { balances: Balances | undefined }): ReactNode {
  if (!balances) {
    return (
      <div role="status" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <span className="sr-only">{t('Loading')}</span>
        {['pi', 'usdc', 'usdt', 'csk'].map((name) => (
          <Skeleton key={name} className="h-24 w-full rounded-xl" />
        ))}
      </div>
    );
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {balances.totals.map(({ currency, available, held, value }) => (
        <Stat
          key={currency}
          label={t('{currency} available', { currency })}
          value={amountText(available)}
          hint={
            <>
              {value === null ? (
                t('No rate')
              ) : (
                <>
                  {t('Worth')} <Money amount={value} currency={balances.value_currency} />
                </>
              )}
              {isSome(held) && (
                <span className="block">
                  {t('{held} {currency} held', { held: amountText(held), currency })}
                </span>
              )}
            </>
          }
        />
      ))}
    </div>
  );
}
