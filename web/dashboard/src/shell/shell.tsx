import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { ConfirmIdentity } from '../pages/confirm-identity/confirm-identity.tsx';
import { t } from '../texts/t.ts';
import { Banner } from '../ui/feedback/banner.tsx';
import { Toasts } from '../ui/toast/toasts.tsx';
import { useFocusOnHeading } from './focus.ts';
import { usePlace } from './nav/place.ts';
import { Keys } from './palette/keys.tsx';
import { Rail } from './rail.tsx';
import { SkipLink } from './skip-link.tsx';
import { TestBanner } from './test-banner.tsx';
import { TopBar } from './top-bar.tsx';
import { UnconfirmedAddress } from './unconfirmed-address.tsx';

/** The frame of every page for somebody who is signed in. */
export function Shell(): ReactNode {
  const { announcement } = useSession();
  const { isOpen, mode } = usePlace();
  const main = useFocusOnHeading();
  return (
    <>
      <SkipLink />
      <div className="rail:grid rail:grid-cols-[248px_minmax(0,1fr)]">
        <aside className="sticky top-0 hidden h-dvh border-r border-line bg-paper rail:block">
          <Rail />
        </aside>
        <div className="min-w-0">
          <TopBar />
          {isOpen && mode === 'test' && <TestBanner />}
          <UnconfirmedAddress />
          {announcement && (
            <section aria-label={t('Announcement')} className="px-4 pt-4 sm:px-8">
              <Banner tone={announcement.tone === 'quiet' ? 'info' : announcement.tone}>
                {announcement.text}
              </Banner>
            </section>
          )}
          <main
            ref={main}
            id="main"
            tabIndex={-1}
            className="mx-auto grid max-w-6xl gap-6 px-4 py-6 sm:px-8 sm:py-8"
          >
            <Outlet />
          </main>
        </div>
      </div>
      <Keys />
      <ConfirmIdentity />
      <Toasts />
    </>
  );
}
