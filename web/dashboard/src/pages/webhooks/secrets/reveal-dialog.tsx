import { type ReactNode, useRef, useState } from 'react';
import type { RevealedSecret } from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { api } from '../../../api/client.ts';
import { useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import type { Endpoint } from '../types/endpoint.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** Shows an endpoint's secret again, to whoever confirms that it is them; the audit log notes it. */
export function RevealDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const { path } = useScope();
  const [secret, setSecret] = useState<string>();
  const isShown = useRef(false);

  async function reveal(): Promise<void> {
    const shown = await api<RevealedSecret>(path(`/webhooks/${endpoint.id}/reveal`), { body: {} });
    isShown.current = true;
    setSecret(shown.secret);
  }

  if (secret !== undefined) {
    return (
      <SecretDialog secret={secret} onClose={onClose}>
        <p>
          {rich('Your server checks {code} with it. Keep it on the server.', {
            code: <code className="font-mono">webhook-signature</code>,
          })}
        </p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onClose={() => isShown.current || onClose()}
      title={t('Show the secret?')}
      action={t('Show the secret')}
      onConfirm={reveal}
    >
      <p>{t('Whoever has it can pretend to be Florin. The audit log notes that you looked.')}</p>
    </ConfirmDialog>
  );
}
