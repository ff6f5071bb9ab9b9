import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import type { Endpoint } from '../types/endpoint.ts';

/** Asks before an endpoint is removed for good. */
export function RemoveDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();

  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('Remove this endpoint?')}
      action={t('Remove the endpoint')}
      onConfirm={() => api(path(`/webhooks/${endpoint.id}`), { method: 'DELETE' })}
      done={t('Endpoint removed')}
      changes={[path('/webhooks'), path('/deliveries')]}
    >
      <p className="font-mono wrap-anywhere">{endpoint.url}</p>
      <p>
        {t(
          'Nothing more is sent to it, also not what waits to be sent. Payments are not changed. This cannot be undone; to stop for a while, pause it.',
        )}
      </p>
    </ConfirmDialog>
  );
}
