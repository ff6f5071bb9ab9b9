import { type ReactNode, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Select } from '../../../ui/form/select.tsx';
import type { Endpoint, EndpointWithSecret } from '../types/endpoint.ts';
import { SecretDialog } from './secret-dialog.tsx';

const day = 24 * 3600;
const overlaps = [
  { value: `${day}`, label: t('One day') },
  { value: `${3 * day}`, label: t('Three days') },
  { value: `${7 * day}`, label: t('Seven days') },
  { value: '3600', label: t('One hour') },
  { value: '0', label: t('None: the old secret ends at once') },
];

/** Gives an endpoint a new secret, beside which the old one signs for a while. */
export function RollDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();
  const refresh = useRefresh();
  const [overlap, setOverlap] = useState(overlaps[0]!.value);
  const [rolled, setRolled] = useState<EndpointWithSecret>();
  const isRolled = useRef(false);

  async function roll(): Promise<void> {
    const body = { overlap_seconds: Number.parseInt(overlap, 10) };
    const answer = await api<EndpointWithSecret>(path(`/webhooks/${endpoint.id}/roll`), { body });
    isRolled.current = true;
    setRolled(answer);
    void refresh(path('/webhooks'));
  }

  if (rolled) {
    return (
      <SecretDialog secret={rolled.secret} onClose={onClose}>
        {rolled.old_secret_until === null ? (
          <p>{t('This is the new secret. The old one signs nothing any more.')}</p>
        ) : (
          <p>
            {rich(
              'This is the new secret. Until {time} every webhook carries a signature of each, so your server may hold either.',
              { time: <Time at={rolled.old_secret_until} exact /> },
            )}
          </p>
        )}
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onClose={() => isRolled.current || onClose()}
      title={t('Roll the secret?')}
      action={t('Roll the secret')}
      onConfirm={roll}
    >
      <p>{t('A new secret is made. For how long should the old one go on signing beside it?')}</p>
      <Select
        label={t('Overlap')}
        choices={overlaps}
        value={overlap}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </ConfirmDialog>
  );
}
