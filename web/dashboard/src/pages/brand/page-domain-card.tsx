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
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { type PageDomainAnswer, usePageDomain } from './queries.ts';

/** The domain of the merchant's own at which customers pay, with what it needs in DNS. */
export function PageDomainCard({ may }: { may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const { data: found, error, isError, refetch } = usePageDomain();
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!found) return <SkeletonRows />;
  const { domain, verified_at: verifiedAt, lost_at: lostAt } = found;
  const path = integrationPath('/page-domain');

  async function save({ domain: name = '' }: FormValues): Promise<void> {
    await api(path, { method: 'PUT', body: { domain: name.trim() } });
  }

  return (
    <Card
      title={t('Domain of the payment page')}
      description={t(
        'Customers pay at this address in place of the one of this installation. Addresses that were given out before go on.',
      )}
      actions={domain !== null && <PageDomainBadge isReady={verifiedAt !== null && lostAt === null} />}
    >
      <SettingsForm
        label={t('Domain of the payment page')}
        may={may}
        action={t('Save the domain')}
        onSend={save}
        done={t('Domain of the payment page saved')}
        changes={[path]}
      >
        <Input
          key={domain}
          name="domain"
          label={t('Name of the domain')}
          help={t(
            'A name of its own that nothing else uses. Leave it empty for the address of this installation.',
          )}
          code
          placeholder="pay.shop.example"
          defaultValue={domain ?? ''}
          required={false}
        />
      </SettingsForm>
      {lostAt !== null && (
        <Banner tone="waiting">
          {rich(
            'Its records are not found any more, since {time}. Publish them again: three days after that customers pay at the address of this installation.',
            { time: <Time at={lostAt} exact /> },
          )}
        </Banner>
      )}
      {domain !== null && (verifiedAt === null || lostAt !== null) && <Publishing found={found} may={may} />}
    </Card>
  );
}

function PageDomainBadge({ isReady }: { isReady: boolean }): ReactNode {
  return isReady ? (
    <Badge tone="paid" icon={BadgeCheck}>
      {t('Customers pay here')}
    </Badge>
  ) : (
    <Badge tone="waiting" icon={Clock}>
      {t('Not ready')}
    </Badge>
  );
}

/** The records to publish, and a button that looks for them. */
function Publishing({ found, may }: { found: PageDomainAnswer; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const refresh = useRefresh();
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();

  async function verify(): Promise<void> {
    setPending(true);
    setFault(undefined);
    try {
      await api(integrationPath('/page-domain/verify'), { body: {} });
      toast(t('Customers pay at your domain now'));
      await refresh(integrationPath('/page-domain'));
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  return (
    <div className="grid gap-3 border-t border-line pt-4 text-sm">
      <p>
        {t(
          'Publish these two records where the names of your domain are managed. In place of the CNAME it may have the addresses of this installation. A new record may take an hour to appear.',
        )}
      </p>
      {found.records.map(({ type, name, value }) => (
        <Code key={type} label={t('{type} record of {name}', { type, name })} text={value} />
      ))}
      {fault !== undefined && (
        <Banner tone="waiting" role="alert">
          {fault}
        </Banner>
      )}
      {may && (
        <div>
          <Button variant="primary" pending={pending} onClick={() => void verify()}>
            {t('Check it now')}
          </Button>
        </div>
      )}
    </div>
  );
}
