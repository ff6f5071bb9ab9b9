import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Select } from '../../../ui/form/select.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import { eventHelp, eventTypes } from '../types/event-types.ts';

const choices = eventTypes.map((value) => ({ value, label: value }));

/** Sends a made-up event of any type to one endpoint, and leads to what became of it. */
export function TestDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [type, setType] = useState<(typeof eventTypes)[number]>('payment_completed');

  async function send(): Promise<void> {
    await api(path(`/webhooks/${endpoint.id}/test`), { body: { event_type: type } });
    await refresh(path('/deliveries'), path('/webhooks'));
    await navigate({ to: '.', search: { tab: 'deliveries', endpoint: endpoint.id } });
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('Send a test event')}
      action={t('Send the test event')}
      onConfirm={send}
    >
      <Select
        label={t('Event')}
        help={eventHelp[type]}
        choices={choices}
        value={type}
        onChange={(event) => setType(event.target.value as (typeof eventTypes)[number])}
      />
      <p>
        {rich(
          'It is about a payment that does not exist, with a reference that begins {code}, and goes to this endpoint alone, whatever it is subscribed to.',
          { code: <code className="font-mono">TEST_</code> },
        )}
      </p>
    </ConfirmDialog>
  );
}
