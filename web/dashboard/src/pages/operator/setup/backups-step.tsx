import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { useBackups } from '../backups/queries.ts';
import type { Step } from './queries.ts';
import { StepActions, StepCard } from './step-card.tsx';

/** Whether backups are made, and when the last one was. */
export function BackupsStep({ step }: { step: Step }): ReactNode {
  const { data } = useBackups();
  return (
    <StepCard
      step={step}
      title={t('Backups')}
      description={t('A place on another machine, and a public key that backups are encrypted to.')}
    >
      {data && data.place !== null && (
        <DefinitionList
          facts={[
            [
              t('Last good backup'),
              data.last_good_at === null ? t('None yet') : <Time key="last" at={data.last_good_at} />,
            ],
          ]}
        />
      )}
      <StepActions step={step}>
        <Link to="/operator/backups" className={buttonClass()}>
          {t('Backups')}
        </Link>
      </StepActions>
    </StepCard>
  );
}
