import type { ReactNode } from 'react';
import { useMay, useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { ChannelsCard } from './channels-card.tsx';
import { ChoicesCard } from './choices-card.tsx';
import { DailyCard } from './daily-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { useChoices, usePerson } from './queries.ts';
import { TelegramCard } from './telegram-card.tsx';

/** What the person is told of this integration, and by what. Others of the team choose for themselves. */
export function NoticesTab(): ReactNode {
  const may = useMay('get notices');
  return may ? (
    <Notices />
  ) : (
    <Banner>{t('Only members of the business are told what happens in it.')}</Banner>
  );
}

function Notices(): ReactNode {
  const { mode } = useScope();
  const choices = useChoices();
  const person = usePerson();
  return (
    <div className="grid gap-5">
      {mode === 'test' && (
        <Banner>
          {t('This is about test mode. What you hear of live payments is chosen in live mode.')}
        </Banner>
      )}
      <Loaded query={person}>
        {(who) => (
          <>
            <Loaded query={choices} rows={9}>
              {(chosen) => (
                <>
                  <ChoicesCard choices={chosen} person={who} />
                  <ChannelsCard choices={chosen} />
                </>
              )}
            </Loaded>
            <div className="grid items-start gap-5 lg:grid-cols-2">
              {who.telegram.has_bot && <TelegramCard person={who} />}
              <DevicesCard person={who} />
              <DailyCard person={who} />
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}
