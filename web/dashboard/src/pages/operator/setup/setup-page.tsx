import { ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { AddressStep } from './address-step.tsx';
import { BackupsStep } from './backups-step.tsx';
import { ChainsStep } from './chains-step.tsx';
import { KeyStep } from './key-step.tsx';
import { MailStep } from './mail-step.tsx';
import { type Setup, type Step, useSetup } from './queries.ts';
import { StepCard } from './step-card.tsx';
import { RatesStep, TreasuryStep } from './told-steps.tsx';

/** What is left to set up after the first run, each with the way to do it. */
export function SetupStepsPage(): ReactNode {
  return (
    <>
      <PageHeader
        title={t('Finish setting up')}
        description={t(
          'What is left stays listed here and on the overview. Settings are changed in the environment or its files, not here.',
        )}
      />
      <Loaded query={useSetup()} rows={8}>
        {(setup) => (setup.steps.length === 0 ? <None /> : <Steps setup={setup} />)}
      </Loaded>
    </>
  );
}

function None(): ReactNode {
  return (
    <EmptyState icon={ListChecks} title={t('Nothing is listed here')}>
      {t('This installation was not begun by the link of the first run. The doctor looks at all of it.')}
    </EmptyState>
  );
}

function Steps({ setup }: { setup: Setup }): ReactNode {
  const { steps, open } = setup;
  return (
    <>
      <Progress
        label={t('Done')}
        value={steps.length - open}
        max={steps.length}
        text={t('{done} of {all}', { done: steps.length - open, all: steps.length })}
      />
      {steps.map((step) => (
        <StepOf key={step.step} step={step} setup={setup} />
      ))}
    </>
  );
}

function StepOf({ step, setup }: { step: Step; setup: Setup }): ReactNode {
  switch (step.step) {
    case 'account':
      return (
        <StepCard
          step={step}
          title={t('Your account')}
          description={t('You are the operator, with a second factor.')}
        />
      );
    case 'address':
      return <AddressStep step={step} />;
    case 'mail':
      return <MailStep step={step} to={setup.mails_to} />;
    case 'master_key':
      return <KeyStep step={step} kept={setup.master_key} />;
    case 'chains':
      return <ChainsStep step={step} chains={setup.chains} />;
    case 'treasury':
      return <TreasuryStep step={step} chains={setup.chains} />;
    case 'rates':
      return <RatesStep step={step} sources={setup.rate_sources} />;
    case 'backups':
      return <BackupsStep step={step} />;
  }
}
