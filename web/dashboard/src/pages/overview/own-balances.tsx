import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { amountText } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { Stat } from '../../ui/display/stat.tsx';
import type { Balances } from '../balances/queries.ts';

/** What the business has of each currency; those without any are left out. Each leads to the balances. */
export function OwnBalances({ totals }: Pick<Balances, 'totals'>): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const some = totals.filter(({ available, held }) => isSome(available) || isSome(held));
  if (some.length === 0) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {some.map(({ currency, available, held }) => (
        <Stat
          key={currency}
          label={t('{currency} available', { currency })}
          value={
            <Link to="/i/$integration/$mode/balances" params={{ integration, mode }} className="row-link">
              {amountText(available)}
            </Link>
          }
          {...(isSome(held)
            ? { hint: t('{held} {currency} held', { held: amountText(held), currency }) }
            : {})}
        />
      ))}
    </div>
  );
}
