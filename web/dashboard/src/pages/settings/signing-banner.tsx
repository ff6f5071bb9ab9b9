import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { Key } from './queries.ts';

type SigningBannerProps = { keys: Key[]; may: boolean; onChanged: () => Promise<void> };

/** While the signing key is rolled: which key signs, and a button to switch before the overlap ends. */
export function SigningBanner({ keys, may, onChanged }: SigningBannerProps): ReactNode {
  const { path } = useScope();
  const [asking, setAsking] = useState(false);
  const signer = keys.find(({ signing }) => signing);
  if (!signer || signer.valid_until === null) return null;

  async function change(): Promise<void> {
    await api(path('/keys/switch-signing'), { body: {} });
    await onChanged();
  }

  return (
    <>
      <Banner
        tone="waiting"
        title={t('The signing key is being rolled')}
        action={may && <Button onClick={() => setAsking(true)}>{t('Switch signing now')}</Button>}
      >
        {rich(
          'Webhooks are still signed with {span}, until {time}. Switch once your server verifies with the new key.',
          {
            span: <span className="font-mono">{signer.hint}</span>,
            time: <Time at={signer.valid_until} exact />,
          },
        )}
      </Banner>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('Sign webhooks with the new key')}
        action={t('Switch now')}
        onConfirm={change}
      >
        <p>
          {t(
            'From now on every webhook is signed with the new key, also those that are sent again. Calls with the old key work until its overlap ends. You cannot switch back.',
          )}
        </p>
      </ConfirmDialog>
    </>
  );
}
