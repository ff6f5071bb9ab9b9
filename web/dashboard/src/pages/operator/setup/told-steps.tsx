import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import type { SetupChain, Step } from './queries.ts';
import { StepActions, StepCard } from './step-card.tsx';

/** Where money goes, and what pays out. */
export function TreasuryStep({ step, chains }: { step: Step; chains: readonly SetupChain[] }): ReactNode {
  return (
    <StepCard
      step={step}
      title={t('Treasury and vault')}
      description={t(
        'The treasury is an address or a Safe of yours that no gateway has a key of. A vault pays out within its limits.',
      )}
    >
      {chains.map(({ id, name, treasury, vault, pays_by_hand: byHand }) => (
        <section key={id} aria-label={name} className="grid gap-2">
          <h3 className="text-sm font-semibold">{name}</h3>
          <DefinitionList
            facts={[
              [t('Treasury'), treasury ?? t('addresses of a public key of yours')],
              [
                t('Payouts'),
                vault ?? (byHand ? t('by hand') : t('none: neither a vault nor payouts by hand')),
              ],
            ]}
          />
        </section>
      ))}
      <StepActions step={step}>
        <Link to="/operator/money" search={{ tab: 'vault' }} className={buttonClass()}>
          {t('Treasury and vault')}
        </Link>
      </StepActions>
    </StepCard>
  );
}

/** What coins are worth, and who says so. */
export function RatesStep({ step, sources }: { step: Step; sources: readonly string[] }): ReactNode {
  return (
    <StepCard
      step={step}
      title={t('Rates')}
      description={t(
        'Prices in euros or dollars need sources of rates, best three that do not know each other.',
      )}
    >
      <DefinitionList facts={[[t('Sources'), sources.length === 0 ? t('none') : sources.join(', ')]]} />
      <StepActions step={step}>
        <Link to="/operator/currencies" className={buttonClass()}>
          {t('Currencies and rates')}
        </Link>
      </StepActions>
    </StepCard>
  );
}
