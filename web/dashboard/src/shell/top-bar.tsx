import { useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../texts/t.ts';
import { veilClass } from '../ui/dialog/dialog.tsx';
import { Coin } from './logo.tsx';
import { usePlace } from './nav/place.ts';
import { show } from './palette/show.ts';
import { Rail } from './rail.tsx';

/** On narrow screens: the name of the open integration, and the rail behind a button. */
export function TopBar(): ReactNode {
  const { integration, merchant } = usePlace();
  const [open, setOpen] = useState(false);
  const { href } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever leads to another address closes the rail
  useEffect(() => setOpen(false), [href]);

  return (
    <header className="flex h-14 items-center gap-3 border-b border-line bg-surface px-4 rail:hidden">
      <Coin size={26} />
      <span className="min-w-0 flex-1 truncate font-semibold">
        {integration?.name ?? merchant?.name ?? t('Florin')}
      </span>
      <button
        type="button"
        aria-label={t('Find')}
        onClick={() => show('palette')}
        className="inline-flex size-11 items-center justify-center rounded-lg hover:bg-sunken"
      >
        <Search size={20} aria-hidden />
      </button>
      <Radix.Root open={open} onOpenChange={setOpen}>
        <Radix.Trigger
          aria-label={t('Menu')}
          className="-mr-2 inline-flex size-11 items-center justify-center rounded-lg hover:bg-sunken"
        >
          <MenuIcon size={20} aria-hidden />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Overlay className={veilClass} />
          <Radix.Content
            aria-describedby={undefined}
            className="appear fixed inset-y-0 left-0 z-50 w-72 max-w-[calc(100vw-3rem)] border-r border-line bg-paper"
          >
            <Radix.Title className="sr-only">{t('Menu')}</Radix.Title>
            <Rail />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </header>
  );
}
