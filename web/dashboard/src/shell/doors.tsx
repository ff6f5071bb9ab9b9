import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Toasts } from '../ui/toast/toasts.tsx';
import { doorsClass } from './doors-class.ts';
import { useFocusOnHeading } from './focus.ts';
import { Coin } from './logo.tsx';

/** The frame of the pages for somebody who is not signed in: one column. */
export function Doors(): ReactNode {
  const main = useFocusOnHeading();
  return (
    <div className={doorsClass.page}>
      <header className={doorsClass.head}>
        <Coin /> {t('Florin')}
      </header>
      <main ref={main} id="main" tabIndex={-1} className={doorsClass.main}>
        <Outlet />
      </main>
      <Toasts />
    </div>
  );
}
