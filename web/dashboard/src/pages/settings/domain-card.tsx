import { BadgeCheck, Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useScope } from '../../api/scope.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Code } from '../../ui/display/code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import type { Settings } from './queries.ts';

/** The shop's domain, which customers see with a tick after it was proved. */
export function DomainCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const refresh = useRefresh();
  const { domain, domain_verified_at: verifiedAt } = settings;

  async function save(name: string): Promise<void> {
    await api(integrationPath(''), { method: 'PATCH', body: { domain: name } });
    toast(name === '' ? t('Domain removed') : t('Domain saved'));
    await refresh(integrationPath(''));
  }

  return (
    <Card
      title={t('Domain')}
      description={t(
        'Customers see it with a tick next to your name after you have proved that it is yours.',
      )}
      actions={domain !== null && <DomainBadge verified={verifiedAt !== null} />}
    >
      <Form onSend={({ domain: name = '' }) => save(name.trim())} label={t('Domain')}>
        <fieldset disabled={!may} className="grid min-w-0 gap-3">
          <Input
            key={domain}
            name="domain"
            label={t('Name of the domain')}
            code
            placeholder="shop.example"
            defaultValue={domain ?? ''}
            required={false}
          />
          {may && (
            <div>
              <SubmitButton variant="quiet">{t('Save the domain')}</SubmitButton>
            </div>
          )}
        </fieldset>
      </Form>
      {domain !== null && verifiedAt === null && may && <Proof settings={settings} />}
    </Card>
  );
}

function DomainBadge({ verified }: { verified: boolean }): ReactNode {
  return verified ? (
    <Badge tone="paid" icon={BadgeCheck}>
      {t('Verified')}
    </Badge>
  ) : (
    <Badge tone="waiting" icon={Clock}>
      {t('Not verified')}
    </Badge>
  );
}

function Proof({ settings }: { settings: Settings }): ReactNode {
  const { integrationPath } = useScope();
  const refresh = useRefresh();
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const { domain, domain_proof: proof } = settings;

  async function verify(): Promise<void> {
    setPending(true);
    setFault(undefined);
    try {
      await api(integrationPath('/domain/verify'), { body: {} });
      toast(t('Domain verified'));
      await refresh(integrationPath(''));
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  return (
    <div className="grid gap-3 border-t border-line pt-4 text-sm">
      <p>
        {rich('Publish this text as a TXT record of {span}', {
          span: <span className="font-mono wrap-anywhere">{rich('_florin.{domain}', { domain })}</span>,
        })}
        {rich(', or as a line of {span}. A new record may take an hour to appear.', {
          span: (
            <span className="font-mono wrap-anywhere">
              {rich('https://{domain}/.well-known/florin.txt', { domain })}
            </span>
          ),
        })}
      </p>
      <Code label={t('Proof')} text={proof ?? ''} />
      {fault !== undefined && (
        <Banner tone="waiting" role="alert">
          {fault}
        </Banner>
      )}
      <div>
        <Button variant="primary" pending={pending} onClick={() => void verify()}>
          {t('Check it now')}
        </Button>
      </div>
    </div>
  );
}
