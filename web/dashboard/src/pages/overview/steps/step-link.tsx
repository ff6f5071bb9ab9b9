import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OnboardingStep } from '../../../../../../gateway/src/payments/api/console-answers/overview.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { type ButtonVariant, buttonClass } from '../../../ui/button/button.tsx';

export type StepLinkProps = { step: OnboardingStep['step']; variant: ButtonVariant };

/** Links to the page where a step is done. */
export function StepLink({ step, variant }: StepLinkProps): ReactNode {
  const { integrationId, mode } = useScope();
  const common = { params: { integration: integrationId, mode }, className: buttonClass(variant, 'small') };
  if (step === 'payment') {
    return (
      <Link to="/i/$integration/$mode/payments" search={{ make: 'payment' }} {...common}>
        {t('New payment')}
      </Link>
    );
  }
  if (step === 'completed') {
    return (
      <Link to="/i/$integration/$mode/payments" {...common}>
        {t('Open payments')}
      </Link>
    );
  }
  if (step === 'endpoint' || step === 'verified') {
    const search = step === 'endpoint' ? ({ edit: 'new' } as const) : ({ tab: 'deliveries' } as const);
    return (
      <Link to="/i/$integration/$mode/webhooks" search={search} {...common}>
        {step === 'endpoint' ? t('Create an endpoint') : t('Open deliveries')}
      </Link>
    );
  }
  return (
    <Link to="/i/$integration/$mode/settings" search={{ tab: step === 'key' ? 'keys' : 'live' }} {...common}>
      {step === 'key' ? t('Open keys') : t('Open the task list')}
    </Link>
  );
}
