import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { counted, t } from '../../texts/t.ts';
import { Money } from '../../ui/display/money.tsx';
import type { Drawn, Sum } from './sums.ts';

/** A sum that can be drawn, in its currency. */
export type Choice = Sum & { drawn: Drawn; code: string };

export type CameInChoicesProps = { choices: readonly Choice[]; drawn: Drawn };

/** The sums of the days: their value, what was paid, and what came of prices. Pressing one draws it. */
export function CameInChoices({ choices, drawn }: CameInChoicesProps): ReactNode {
  return (
    <nav aria-label={t('Currency')} className="flex flex-wrap gap-x-6 gap-y-3">
      {groups.map(({ kind, label }) => (
        <Group
          key={kind}
          label={label}
          choices={choices.filter((choice) => choice.drawn.kind === kind)}
          drawn={drawn}
        />
      ))}
    </nav>
  );
}

const groups = [
  { kind: 'value', label: t('Value') },
  { kind: 'paid', label: t('Paid') },
  { kind: 'asked', label: t('Asked in prices') },
] as const;

/** How the address names what is drawn; the value of all is what is drawn at first. */
export const nameOf = (drawn: Drawn): string | undefined => (drawn.kind === 'value' ? undefined : drawn.code);

type GroupProps = CameInChoicesProps & { label: string };

function Group({ label, choices, drawn }: GroupProps): ReactNode {
  if (choices.length === 0) return null;
  const isDrawn = (choice: Choice): boolean =>
    choice.drawn.kind === drawn.kind && nameOf(choice.drawn) === nameOf(drawn);
  return (
    <div className="grid content-start gap-1">
      <p className="text-sm text-quiet">{label}</p>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {choices.map((choice) => (
          <Link
            key={choice.code}
            to="."
            search={changeSearch({ currency: nameOf(choice.drawn) })}
            replace
            resetScroll={false}
            activeProps={{}}
            aria-current={isDrawn(choice) ? 'true' : undefined}
            className={clsx(
              'overflow-hidden rounded-lg border px-3 py-2 font-semibold sm:text-base',
              isDrawn(choice) ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
            )}
          >
            <Money amount={choice.amount} currency={choice.code} />
            {choice.count !== undefined && (
              <span className="block text-sm font-normal text-quiet">
                {counted(choice.count, 'in 1 payment', 'in {count} payments')}
              </span>
            )}
          </Link>
        ))}
      </div>
    </div>
  );
}
