import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useMay, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Time } from '../../../ui/display/time.tsx';
import type { Endpoint } from '../types/endpoint.ts';

/** While an endpoint's old secret signs beside the new one: until when, and ending that. */
export function OldSecret({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const [asking, setAsking] = useState(false);
  const may = useMay('manage webhooks');
  const { old_secret_until: until } = endpoint;
  if (until === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <KeyRound size={16} aria-hidden className="shrink-0 text-waiting" />
      <p className="min-w-0 flex-1 basis-48">
        {rich(
          'An old secret still signs beside the new one, and ends {time}. Put the new one into your server before.',
          { time: <Time at={until} /> },
        )}
      </p>
      {may && (
        <Button size="small" onClick={() => setAsking(true)}>
          {t('End the overlap now…')}
        </Button>
      )}
      {asking && <EndDialog endpoint={endpoint} onClose={() => setAsking(false)} />}
    </div>
  );
}

function EndDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('End the overlap?')}
      action={t('End the overlap')}
      danger
      onConfirm={() => api(path(`/webhooks/${endpoint.id}/end-overlap`), { method: 'POST' })}
      changes={[path('/webhooks')]}
    >
      <p>
        {t(
          'From the next webhook on only the new secret signs. A server that still holds the old one refuses them from then on.',
        )}
      </p>
    </ConfirmDialog>
  );
}
