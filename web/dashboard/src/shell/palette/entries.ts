import type { NavigateOptions } from '@tanstack/react-router';
import { Clock, Keyboard, type LucideIcon, Plus, Search, Store, SunMoon } from 'lucide-react';
import type { Session } from '../../api/session.ts';
import { type Choice, chosenTheme, setTheme, themes } from '../../format/theme.ts';
import { setZone } from '../../format/time-zone.ts';
import { themeWords } from '../../format/use-theme.ts';
import { t } from '../../texts/t.ts';
import { integrationItems, merchantItems, operatorItems } from '../nav/nav-items.ts';
import type { Place } from '../nav/place.ts';
import { show } from './show.ts';

/** What the palette offers besides payments: a page to open, or something to do. */
export type Entry = {
  key: string;
  label: string;
  /** What it belongs to. */
  hint: string;
  icon: LucideIcon;
  to?: NavigateOptions;
  run?: () => void;
};

/** Tabs and drawers that people look for by their own names, with the page that has them. */
const parts: readonly (readonly [page: string, label: string, search: Record<string, string>])[] = [
  ['webhooks', t('Webhook deliveries'), { tab: 'deliveries' }],
  ['webhooks', t('Create a webhook endpoint'), { edit: 'new' }],
  ['balances', t('Payouts'), { tab: 'payouts' }],
  ['balances', t('Statements'), { tab: 'statements' }],
  ['balances', t('Top up the balance'), { tab: 'top-up' }],
  ['balances', t('Withdraw'), { open: 'withdraw' }],
  ['balances', t('Fund a user'), { open: 'fund-user' }],
  ['developers', t('Snippets'), { tab: 'snippets' }],
  ['developers', t('Test clock'), { tab: 'clock' }],
  ['settings', t('API keys'), { tab: 'keys' }],
  ['settings', t('Payout settings'), { tab: 'payouts' }],
  ['settings', t('Going live'), { tab: 'live' }],
];

const operatorParts: readonly (readonly [to: string, label: string, search: Record<string, string>])[] = [
  ['/operator/money', t('Unmatched money'), { tab: 'strays' }],
  ['/operator/money', t('Coins not taken'), { tab: 'other-coins' }],
  ['/operator/money', t('Fees'), { tab: 'fees' }],
  ['/operator/money', t('Reserves'), { tab: 'reserves' }],
  ['/operator/money', t('Treasury and vault'), { tab: 'vault' }],
  ['/operator/money', t('Sweeps'), { tab: 'sweeps' }],
  ['/operator/money', t('Audit of the ledger'), { tab: 'audit' }],
  ['/operator/health', t('Failed deliveries'), { tab: 'deliveries' }],
  ['/operator/health', t('Doctor'), { tab: 'doctor' }],
  ['/operator/payouts', t('Stop all payouts'), {}],
];

/** Every page and action that this person has here. */
export function entriesOf({ account, merchants }: Session, place: Place): Entry[] {
  const { integration, merchant, mode } = place;
  const entries: Entry[] = [];
  if (integration) {
    const params = { integration: integration.id, mode };
    const hint = `${integration.name}, ${mode}`;
    const page = (name: string) => integrationItems.find(({ to }) => to.endsWith(`/${name}`));
    for (const { to, label, icon } of integrationItems) {
      entries.push({ key: to, label, hint, icon, to: { to, params } });
    }
    for (const [name, label, search] of parts) {
      const { to, icon } = page(name) ?? {};
      if (to && icon) {
        entries.push({
          key: `${name} ${label}`,
          label,
          hint,
          icon,
          to: { to, params, search } as NavigateOptions,
        });
      }
    }
    if (merchant?.permissions.includes('create payments')) {
      entries.push({
        ...{ key: 'new payment', label: t('New payment'), hint, icon: Plus },
        to: {
          to: '/i/$integration/$mode/payments',
          params,
          search: { make: 'payment' },
        } as NavigateOptions,
      });
    }
    const other = mode === 'test' ? 'live' : 'test';
    const overview = '/i/$integration/$mode/overview';
    entries.push({
      ...{ key: 'mode', label: t('Switch to {other} mode', { other }), hint: integration.name, icon: Store },
      to: { to: overview, params: { integration: integration.id, mode: other } },
    });
  }
  if (merchant && merchant.id !== '') {
    for (const { to, label, icon } of merchantItems) {
      entries.push({
        key: to,
        label,
        hint: merchant.name,
        icon,
        to: { to, params: { merchant: merchant.id } },
      });
    }
  }
  if (account.is_operator) {
    for (const { to, label, icon } of operatorItems) {
      entries.push({ key: to, label, hint: t('Operator'), icon, to: { to } });
    }
    for (const [to, label, search] of operatorParts) {
      const icon = operatorItems.find((item) => item.to === to)?.icon ?? Store;
      entries.push({ key: label, label, hint: t('Operator'), icon, to: { to, search } as NavigateOptions });
    }
  }
  for (const { name, integrations } of merchants) {
    for (const { id, name: label } of integrations) {
      if (id === integration?.id) continue;
      const to = { to: '/i/$integration/$mode/overview', params: { integration: id, mode } } as const;
      entries.push({ key: id, label: t('Open {label}', { label }), hint: name, icon: Store, to });
    }
  }
  return [...entries, ...ofEverybody()];
}

function ofEverybody(): Entry[] {
  const other = (theme: Choice): boolean => theme !== chosenTheme();
  return [
    ...themes.filter(other).map((theme) => ({
      ...{
        key: theme,
        label: t('Theme: {themeWords}', { themeWords: themeWords[theme] }),
        hint: t('This browser'),
        icon: SunMoon,
      },
      run: () => setTheme(theme),
    })),
    {
      key: 'utc',
      label: t('Show times in UTC'),
      hint: t('This browser'),
      icon: Clock,
      run: () => setZone('utc'),
    },
    {
      key: 'local',
      label: t('Show local times'),
      hint: t('This browser'),
      icon: Clock,
      run: () => setZone('local'),
    },
    { key: 'keys', label: t('Show the keys'), hint: t('Keyboard'), icon: Keyboard, run: () => show('keys') },
  ];
}

/** Lists that can be searched for these words, for what the palette itself does not find. */
export function searchesFor(words: string, { account }: Session, { integration, mode }: Place): Entry[] {
  const entries: Entry[] = [];
  if (words === '') return entries;
  const search = (key: string, label: string, to: NavigateOptions): void => {
    entries.push({ key: `search ${key}`, label, hint: `“${words}”`, icon: Search, to });
  };
  if (integration) {
    const params = { integration: integration.id, mode };
    search('payments', t('Search payments'), {
      to: '/i/$integration/$mode/payments',
      params,
      search: { q: words },
    });
  }
  if (account.is_operator) {
    search('merchants', t('Search merchants'), { to: '/operator/merchants', search: { q: words } });
    search('users', t('Search users'), { to: '/operator/users', search: { q: words } });
  }
  return entries;
}

/** Those whose names have every one of the words, or a beginning of one; the best first. */
export function matching(entries: readonly Entry[], words: string): Entry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label }: Entry): boolean => wanted.every((word) => label.toLowerCase().includes(word));
  const begins = ({ label }: Entry): number => (label.toLowerCase().startsWith(wanted[0] ?? '') ? 0 : 1);
  return entries.filter(fits).sort((one, other) => begins(one) - begins(other));
}
