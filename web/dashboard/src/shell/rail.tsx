import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { useMerchantAttention, useOperatorAttention } from '../pages/attention/queries.ts';
import { t } from '../texts/t.ts';
import { AccountMenu } from './account-menu.tsx';
import { IntegrationSwitcher } from './integration-switcher.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { integrationItems, merchantItems, operatorItems, waitingOn } from './nav/nav-items.ts';
import { usePlace } from './nav/place.ts';
import { NavGroup, NavLabel, navLinkClass } from './nav-link.tsx';
import { FindButton } from './palette/find-button.tsx';

/** The links to all pages, with the open one marked. */
export function Rail(): ReactNode {
  const { integration, merchant, mode } = usePlace();
  const { account } = useSession();
  const ofMerchant = useMerchantAttention(integration?.id, mode).data;
  const ofOperator = useOperatorAttention(account.is_operator).data;
  return (
    <div className="flex h-full flex-col gap-3 px-3 pt-4 pb-2">
      <IntegrationSwitcher />
      {integration && <ModeSwitch />}
      <FindButton />
      <nav
        aria-label={t('Pages')}
        className="-mx-3 grid min-h-0 flex-1 content-start gap-1 overflow-y-auto px-3 pb-2 rail:border-b"
      >
        {integration && (
          <NavGroup>
            {integrationItems.map(({ to, label, icon, waits = [] }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ integration: integration.id, mode }}
                  className={navLinkClass}
                  activeOptions={{ includeSearch: false }}
                >
                  <NavLabel icon={icon} label={label} waiting={waitingOn({ waits }, ofMerchant)} />
                </Link>
              </li>
            ))}
          </NavGroup>
        )}
        {merchant && merchant.id !== '' && (
          <NavGroup heading={merchant.name}>
            {merchantItems.map(({ to, label, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ merchant: merchant.id }}
                  className={navLinkClass}
                  activeOptions={{ includeSearch: false }}
                >
                  <NavLabel icon={icon} label={label} />
                </Link>
              </li>
            ))}
          </NavGroup>
        )}
        {account.is_operator && (
          <NavGroup heading={t('Operator')}>
            {operatorItems.map(({ to, label, icon, waits = [] }) => (
              <li key={to}>
                <Link to={to} className={navLinkClass} activeOptions={{ includeSearch: false }}>
                  <NavLabel icon={icon} label={label} waiting={waitingOn({ waits }, ofOperator)} />
                </Link>
              </li>
            ))}
          </NavGroup>
        )}
      </nav>
      <AccountMenu />
    </div>
  );
}
