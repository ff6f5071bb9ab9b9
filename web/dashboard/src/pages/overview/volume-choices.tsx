import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { counted, t } from '../../texts/t.ts';
import { Money } from '../../ui/display/money.tsx';

/** A currency with its total; `count`: of how many payments with a price. */
type Choice = { code: string; amount: string; count?: number };

export type VolumeChoicesProps = { paid: readonly Choice[]; asked: readonly Choice[]; code: string };

/** The totals of the days: what was paid, and what was asked in prices. Pressing one draws it. */
export function VolumeChoices({ paid, asked, code }: VolumeChoicesProps): ReactNode {
  return (
    <nav aria-label={t('Currency')} className="flex flex-wrap gap-x-6 gap-y-3">
      {paid.length > 0 && <Group label={asked.length > 0 ? t('Paid') : null} choices={paid} code={code} />}
      {asked.length > 0 && <Group label={t('Asked in prices')} choices={asked} code={code} />}
    </nav>
  );
}

type GroupProps = { label: string | null; choices: readonly Choice[]; code: string };

function Group({ label, choices, code }: GroupProps): ReactNode {
  return (
    <div className="grid content-start gap-1">
      {label !== null && <p className="text-sm text-quiet">{label}</p>}
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {choices.map((each) => (
          <Link
            key={each.code}
            to="."
            search={(search) => ({ ...search, currency: each.code })}
            replace
            resetScroll={false}
            activeProps={{}}
            aria-current={each.code === code ? 'true' : undefined}
            className={clsx(
              'overflow-hidden rounded-lg border px-3 py-2 font-semibold sm:text-base',
              each.code === code ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
            )}
          >
            <Money amount={each.amount} currency={each.code} />
            {each.count !== undefined && (
              <span className="block text-sm font-normal text-quiet">
                {counted(each.count, 'in 1 payment', 'in {count} payments')}
              </span>
            )}
          </Link>
        ))}
      </div>
    </div>
  );
}
