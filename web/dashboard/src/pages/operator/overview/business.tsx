import { Link } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import type { ReactNode } from 'react';
import { amountText } from '../../../format/amount.ts';
import { isSome } from '../../../format/decimals.ts';
import { t } from '../../../texts/t.ts';
import { Stat } from '../../../ui/display/stat.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import type { OperatorOverview } from './queries.ts';

const figures = new Intl.NumberFormat('en');

/** The volume of all merchants, and the fees on it. */
export function Business({ overview: { days, volume, fees } }: { overview: OperatorOverview }): ReactNode {
  return (
    <>
      <Section
        title={t('Volume of the last {days} days', { days })}
        description={t('Completed payments of all merchants, at their nominal amounts.')}
      >
        {volume.length === 0 ? (
          <EmptyState icon={Coins} title={t('No live payment in the last {days} days', { days })}>
            {t('An integration takes live payments once you have approved it.')}
          </EmptyState>
        ) : (
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
            {volume.map(({ currency, amount, completed, payments }) => (
              <Stat
                key={currency}
                label={currency}
                value={
                  <Link to="/operator/merchants" search={{ tab: 'integrations' }} className="row-link">
                    {amountText(amount)}
                  </Link>
                }
                hint={t('{completed} of {payments} payments completed', {
                  completed: figures.format(completed),
                  payments: figures.format(payments),
                })}
              />
            ))}
          </div>
        )}
      </Section>
      {fees.length > 0 && (
        <Section
          title={t('Fees of this month')}
          description={t('What merchants were charged since the first day (UTC).')}
        >
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
            {fees.map(
              ({
                asset,
                currency,
                network,
                this_month,
                last_month,
                direct_this_month,
                direct_last_month,
              }) => (
                <Stat
                  key={asset}
                  label={
                    network === null
                      ? (currency ?? asset)
                      : t('{currency} on {network}', { currency: currency ?? asset, network })
                  }
                  value={
                    <Link to="/operator/money" search={{ tab: 'fees' }} className="row-link">
                      {amountText(this_month)}
                    </Link>
                  }
                  hint={
                    <>
                      {t('{last_month} last month', { last_month: amountText(last_month) })}
                      {(isSome(direct_this_month) || isSome(direct_last_month)) && (
                        <span className="block">
                          {t('{amount} more at your own address, {last_month} last month', {
                            amount: amountText(direct_this_month),
                            last_month: amountText(direct_last_month),
                          })}
                        </span>
                      )}
                    </>
                  }
                />
              ),
            )}
          </div>
        </Section>
      )}
    </>
  );
}
