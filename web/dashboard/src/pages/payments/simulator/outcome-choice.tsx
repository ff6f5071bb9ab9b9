import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { joins, pressed } from './choice.ts';
import type { Outcome, Scenario } from './queries.ts';

export type OutcomeChoiceProps = {
  scenarios: readonly Scenario[];
  chosen: readonly Outcome[];
  onChange: (chosen: readonly Outcome[]) => void;
};

/** One outcome or several that combine, and what each of the chosen ones does. */
export function OutcomeChoice({ scenarios, chosen, onChange }: OutcomeChoiceProps): ReactNode {
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t('What happens')}</legend>
      <div className="flex flex-wrap gap-1.5">
        {scenarios.map((scenario) => {
          const isChosen = chosen.includes(scenario.outcome);
          const fits = joins(scenario, chosen);
          return (
            <button
              key={scenario.outcome}
              type="button"
              aria-pressed={isChosen}
              title={
                fits
                  ? scenario.happens
                  : t('{happens} Replaces the chosen outcomes.', { happens: scenario.happens })
              }
              onClick={() => onChange(pressed(scenarios, chosen, scenario.outcome))}
              className={clsx(
                'h-9 rounded-lg border px-3 text-sm font-semibold transition-colors',
                isChosen
                  ? 'border-accent bg-accent-soft text-ink'
                  : fits
                    ? 'border-line-strong bg-surface hover:bg-sunken'
                    : 'border-dashed border-line-strong bg-surface text-quiet hover:bg-sunken',
              )}
            >
              {scenario.title}
            </button>
          );
        })}
      </div>
      <ul className="grid gap-1 text-sm" aria-live="polite">
        {scenarios
          .filter(({ outcome }) => chosen.includes(outcome))
          .map(({ outcome, title, happens }) => (
            <li key={outcome}>
              <strong className="font-semibold">{title}:</strong> {happens}
            </li>
          ))}
      </ul>
      <p className="text-sm text-quiet">
        {t(
          'You can combine outcomes. One with a dashed border replaces those that it cannot be combined with.',
        )}
      </p>
    </fieldset>
  );
}
