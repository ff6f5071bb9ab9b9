import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Toasts } from '../ui/toast/toasts.tsx';
import { useFocusOnHeading } from './focus.ts';
import { Coin } from './logo.tsx';

/** The frame of the pages for somebody who is not signed in: one column. */
export function Doors(): ReactNode {
  const main = useFocusOnHeading();
  return (
    <div className="mx-auto grid min-h-dvh max-w-[440px] content-start gap-6 px-4 py-8 sm:content-center sm:py-16">
      <header className="flex items-center gap-2.5 text-lg font-semibold">
        <Coin /> {t('Florin')}
      </header>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="grid gap-5 rounded-xl border border-line bg-surface p-5 shadow-soft sm:p-8"
      >
        <Outlet />
      </main>
      <Toasts />
    </div>
  );
}
