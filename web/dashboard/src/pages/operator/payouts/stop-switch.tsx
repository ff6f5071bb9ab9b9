import { OctagonX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { stopPath, termsPath, useStop } from './queries.ts';

/** The switch that stops every order and every signing. */
export function StopSwitch(): ReactNode {
  const stop = useStop();
  const [asked, setAsked] = useState<'stop' | 'lift'>();
  const close = () => setAsked(undefined);

  async function set({ reason = '' }: Record<string, string>): Promise<string> {
    await api(stopPath, { body: { reason } });
    return t('Payouts are stopped');
  }

  return (
    <Loaded query={stop} rows={1}>
      {(set_) => (
        <>
          {set_ === null ? (
            <div>
              <Button onClick={() => setAsked('stop')}>
                <OctagonX size={16} aria-hidden /> {t('Stop all payouts')}
              </Button>
            </div>
          ) : (
            <Banner
              tone="lost"
              title={t('All payouts are stopped')}
              action={<Button onClick={() => setAsked('lift')}>{t('Let them continue')}</Button>}
            >
              {set_.reason} · {set_.by}, <Time at={set_.at} />
            </Banner>
          )}
          <FormDialog
            open={asked === 'stop'}
            onClose={close}
            title={t('Stop all payouts?')}
            description={t(
              'No payout is ordered, approved or signed until you let them continue. What is signed already is followed to its end.',
            )}
            onSend={set}
            label={t('Stop all payouts')}
            action={t('Stop all payouts')}
            danger
            changes={[stopPath, termsPath]}
          >
            <Textarea
              name="reason"
              label={t('Reason')}
              help={t('For other operators.')}
              rows={2}
              required
              maxLength={500}
            />
          </FormDialog>
          <ConfirmDialog
            open={asked === 'lift'}
            onClose={close}
            title={t('Let payouts continue?')}
            action={t('Let them continue')}
            onConfirm={() => api(stopPath, { method: 'DELETE' })}
            done={t('Payouts continue')}
            changes={[stopPath, termsPath]}
          >
            <p>{t('What is queued is signed and sent from now on.')}</p>
          </ConfirmDialog>
        </>
      )}
    </Loaded>
  );
}
