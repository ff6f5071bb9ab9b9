import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUser, Clock, Keyboard, Languages, LogOut, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { leaveToSignIn } from '../api/leave.ts';
import { useSession } from '../api/session.ts';
import { type Choice, setTheme, themes } from '../format/theme.ts';
import { setZone, useZone } from '../format/time-zone.ts';
import { themeWords, useTheme } from '../format/use-theme.ts';
import { language } from '../texts/language.ts';
import { languages } from '../texts/languages.ts';
import { t } from '../texts/t.ts';
import { Menu } from '../ui/button/menu.tsx';
import { useAct } from '../ui/toast/act.ts';
import { show } from './palette/show.ts';

/** Who is signed in, with links to their account, the zone of times, and signing out. */
export function AccountMenu(): ReactNode {
  const { account } = useSession();
  const navigate = useNavigate();
  const zone = useZone();
  const theme = useTheme();
  const signOut = useAct(async () => {
    await api('/console/auth/sign-out', { body: {} });
    leaveToSignIn();
  });

  return (
    <Menu
      align="start"
      side="top"
      heading={<span className="block max-w-56 truncate">{account.email}</span>}
      trigger={
        <button
          type="button"
          className="flex h-12 shrink-0 items-center gap-3 rounded-xl px-2.5 text-left transition-colors hover:bg-sunken"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-ink text-sm font-semibold text-paper"
          >
            {(account.name.trim()[0] ?? account.email[0] ?? '?').toUpperCase()}
          </span>
          <span className="min-w-0 truncate text-sm">{account.name || account.email}</span>
          <ChevronsUpDown size={16} aria-hidden className="ml-auto shrink-0 text-quiet" />
          <span className="sr-only">{t('Account')}</span>
        </button>
      }
      items={[
        { label: t('Your account'), icon: CircleUser, onSelect: () => void navigate({ to: '/account' }) },
        {
          label: zone === 'utc' ? t('Show local times') : t('Show times in UTC'),
          icon: Clock,
          onSelect: () => setZone(zone === 'utc' ? 'local' : 'utc'),
        },
        {
          label: t('Theme: {themeWords}', { themeWords: themeWords[theme] }),
          icon: SunMoon,
          onSelect: () => setTheme(afterTheme(theme)),
          staysOpen: true,
        },
        {
          label: t('Language: {name}', { name: languages[language] }),
          icon: Languages,
          onSelect: () => void navigate({ to: '/account' }),
        },
        { label: t('Keys'), icon: Keyboard, onSelect: () => show('keys') },
        'line',
        { label: t('Sign out'), icon: LogOut, onSelect: () => signOut.mutate() },
      ]}
    />
  );
}

/** The three themes come round, one with each press. */
function afterTheme(theme: Choice): Choice {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}
