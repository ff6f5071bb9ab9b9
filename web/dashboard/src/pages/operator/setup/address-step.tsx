import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Button, buttonClass } from '../../../ui/button/button.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import { type AddressSeen, changes, type Step, showAddress } from './queries.ts';
import { StepCard } from './step-card.tsx';

const faultWords: Record<AddressSeen['faults'][number], string> = {
  other_address: t(
    'Your browser came by another address than BASE_URL. Open that one, or set BASE_URL to this.',
  ),
  no_tls: t(
    'BASE_URL has no https: passwords and keys would travel in the open. Put a proxy with a certificate in front.',
  ),
  proxy_untrusted: t('A proxy is in front. Set TRUST_PROXY to 1, where nobody reaches the gateway past it.'),
  proxy_silent: t(
    'TRUST_PROXY is on and this call came without a proxy: close the port to others, or set TRUST_PROXY to 0.',
  ),
  host_changed: t('The proxy changes the Host header: let it pass as it came.'),
  scheme_changed: t('The proxy does not say that the call came by https: let it send X-Forwarded-Proto.'),
};

/** The public address, as this browser reaches it. */
export function AddressStep({ step }: { step: Step }): ReactNode {
  const { data: seen, mutate, isPending } = useAct(() => showAddress(), { changes });
  return (
    <StepCard
      step={step}
      title={t('Public address')}
      description={t(
        'Open this page by the address that the public has, and let the gateway say what it sees.',
      )}
    >
      {seen && (
        <div role="status" className="grid gap-3">
          <DefinitionList
            facts={[
              [t('Your browser'), location.origin],
              [t('The gateway sees'), `${seen.scheme}://${seen.host}`],
              [t('It takes you for'), seen.client],
            ]}
          />
          {seen.faults.map((fault) => (
            <Banner key={fault} tone="waiting">
              {faultWords[fault]}
            </Banner>
          ))}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button pending={isPending} onClick={() => mutate()}>
          {t('Check the address')}
        </Button>
        <Link to="/operator/health" search={{ tab: 'doctor' }} className={buttonClass()}>
          {t('Doctor')}
        </Link>
      </div>
    </StepCard>
  );
}
