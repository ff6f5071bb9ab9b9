import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import type { Endpoint } from './types.ts';

/** Shows an endpoint's secret again, to whoever confirms that it is them; the audit log notes it. */
export function RevealDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();
  const [secret, setSecret] = useState<string>();

  async function reveal(): Promise<void> {
    const shown = await api<{ secret: string }>(path(`/webhooks/${endpoint.id}/reveal`), { body: {} });
    setSecret(shown.secret);
  }

  if (secret !== undefined) {
    return (
      <SecretDialog secret={secret} onClose={onClose}>
        <p>
          Your server checks <code className="font-mono">webhook-signature</code> with it. Keep it on the
          server.
        </p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Show the secret?"
      action="Show the secret"
      onConfirm={reveal}
    >
      <p>Whoever has it can pretend to be Florin. The audit log notes that you looked.</p>
    </ConfirmDialog>
  );
}
