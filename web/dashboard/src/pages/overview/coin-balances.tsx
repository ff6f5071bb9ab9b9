import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { amountText } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Section } from '../../ui/layout/card.tsx';
import type { AssetBalance, Balances } from '../balances/queries.ts';

/** What the business has of each coin with what it is worth, and behind each the networks where it lies. */
export function CoinBalances({ balances }: { balances: Balances }): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const { items, totals, value, value_currency: currency } = balances;
  const some = totals.filter(hasSome);
  if (some.length === 0) return null;
  return (
    <Section
      title={t('Balances')}
      {...(isSome(value) && {
        description: t('Worth {value} at the rates of now.', {
          value: `${amountText(value, currency)} ${currency}`,
        }),
      })}
      actions={
        <Link
          to="/i/$integration/$mode/balances"
          params={{ integration, mode }}
          className={buttonClass('quiet', 'small')}
        >
          {t('Open balances')}
        </Link>
      }
    >
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {some.map((total) => (
          <li key={total.currency}>
            <Coin
              total={total}
              currency={currency}
              assets={items.filter((each) => each.currency === total.currency && hasSome(each))}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const hasSome = ({ available, held }: { available: string; held: string }): boolean =>
  isSome(available) || isSome(held);

type CoinProps = { total: Balances['totals'][number]; currency: string; assets: readonly AssetBalance[] };

function Coin({ total: { currency: coin, available, held, value }, currency, assets }: CoinProps): ReactNode {
  return (
    <details className="group">
      <summary className="flex min-h-12 list-none items-center gap-3 px-4 py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-quiet transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 flex-1 font-semibold">{coin}</span>
        <span className="grid justify-items-end">
          <Money amount={available} currency={coin} className="font-semibold" />
          <span className="text-sm text-quiet">
            {value === null ? t('No rate') : <Money amount={value} currency={currency} />}
            {isSome(held) && <> · {t('{held} held', { held: amountText(held) })}</>}
          </span>
        </span>
      </summary>
      <ul className="grid gap-1 border-t border-line px-4 py-3 pl-11 text-sm">
        {assets.map(({ asset, network, available: own, held: waiting }) => (
          <li key={asset} className="flex flex-wrap justify-between gap-x-4">
            <span className="text-quiet">{network}</span>
            <span className="tabular-nums">
              <Money amount={own} currency={coin} />
              {isSome(waiting) && (
                <span className="text-quiet"> · {t('{held} held', { held: amountText(waiting) })}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
