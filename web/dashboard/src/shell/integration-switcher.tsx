import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus, Store } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import type { IntegrationAnswer } from '../../../../gateway/src/identity/console/answers/integrations.ts';
import { useRead } from '../api/list.ts';
import { type MerchantSummary, useSession } from '../api/session.ts';
import { t } from '../texts/t.ts';
import { menuClass, menuItemClass } from '../ui/button/menu.tsx';
import { Coin, Logo } from './logo.tsx';
import { type Place, usePlace } from './nav/place.ts';

/** Shows which integration is open, and opens another one: all of them, grouped by business. */
export function IntegrationSwitcher(): ReactNode {
  const { merchants } = useSession();
  const place = usePlace();
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger className="flex h-14 shrink-0 items-center gap-3 rounded-xl border border-line bg-surface px-2.5 text-left transition-colors hover:border-line-strong">
        {place.merchant?.role === 'operator' && place.integration ? (
          <ForeignPlace id={place.integration.id} place={place} />
        ) : (
          <Current place={place} />
        )}
        <ChevronsUpDown size={16} aria-hidden className="ml-auto shrink-0 text-quiet" />
        <span className="sr-only">{t('Open another integration')}</span>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={`${menuClass} max-h-[70dvh] w-64 overflow-y-auto`}
        >
          {merchants.map((merchant) => (
            <MerchantGroup key={merchant.id} merchant={merchant} place={place} />
          ))}
          <Radix.Separator className="my-1 h-px bg-line" />
          <Radix.Item asChild className={menuItemClass}>
            <Link to="/new-business">
              <Store size={16} aria-hidden /> {t('Create a business')}
            </Link>
          </Radix.Item>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** An integration of another business, whose name is not in the operator's session. */
function ForeignPlace({ id, place }: { id: string; place: Place }): ReactNode {
  const { data } = useRead<IntegrationAnswer>(`/console/integrations/${id}`);
  const { integration, merchant } = place;
  if (!data || !integration || !merchant) return <Current place={place} />;
  const { name, logo_url } = data;
  const owner = { ...merchant, name: data.merchant?.name ?? t('Created on the command line') };
  return <Current place={{ ...place, integration: { ...integration, name, logo_url }, merchant: owner }} />;
}

function Current({ place: { integration, merchant } }: { place: Place }): ReactNode {
  return (
    <>
      {integration ? <Logo name={integration.name} url={integration.logo_url} /> : <Coin size={30} />}
      <span className="grid min-w-0 leading-tight">
        <span className="truncate text-sm font-semibold">
          {integration?.name ?? merchant?.name ?? t('Florin')}
        </span>
        <span className="truncate text-sm text-quiet">
          {integration ? merchant?.name : merchant ? t('No integration yet') : t('Payment gateway')}
        </span>
      </span>
    </>
  );
}

function MerchantGroup({ merchant, place }: { merchant: MerchantSummary; place: Place }): ReactNode {
  return (
    <Radix.Group>
      <Radix.Label className="truncate px-2.5 pt-2 pb-1 text-sm text-quiet">{merchant.name}</Radix.Label>
      {merchant.integrations.map((integration) => (
        <Radix.Item key={integration.id} asChild className={menuItemClass}>
          <Link
            to="/i/$integration/$mode/overview"
            params={{ integration: integration.id, mode: place.mode }}
          >
            <Logo name={integration.name} url={integration.logo_url} className="size-6 rounded-md text-sm" />
            <span className="min-w-0 truncate">{integration.name}</span>
            {integration.id === place.integration?.id && (
              <Check size={16} aria-label={t('open now')} className="ml-auto shrink-0 text-accent" />
            )}
          </Link>
        </Radix.Item>
      ))}
      {merchant.integrations.length === 0 && (
        <Radix.Item asChild className={`${menuItemClass} text-quiet`}>
          <Link to="/m/$merchant/integrations" params={{ merchant: merchant.id }}>
            <Plus size={16} aria-hidden /> {t('Create an integration')}
          </Link>
        </Radix.Item>
      )}
    </Radix.Group>
  );
}
