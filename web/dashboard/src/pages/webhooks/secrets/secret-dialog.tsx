import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Copy } from '../../../ui/button/copy.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';

/** Shows an endpoint's secret, to be copied. */
export function SecretDialog({
  secret,
  children,
  onClose,
}: {
  secret: string;
  children: ReactNode;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('The endpoint’s secret')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <div className="grid gap-3 text-sm">{children}</div>
      <div className="flex items-center justify-between gap-3 rounded-lg border border-line bg-sunken p-3">
        <code className="min-w-0 font-mono text-sm break-all">{secret}</code>
        <Copy text={secret} what={t('the secret')} variant="quiet" />
      </div>
    </Dialog>
  );
}
