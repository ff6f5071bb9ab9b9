import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { leaveToSignIn } from '../../api/leave.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { accountPath } from './queries.ts';

/** Closes the person's own account, for ever. */
export function CloseAccount(): ReactNode {
  const { account } = useSession();
  const [open, setOpen] = useState(false);

  async function close(): Promise<void> {
    await api(accountPath, { method: 'DELETE' });
    leaveToSignIn({ done: 'closed' });
  }

  return (
    <Card
      title={t('Close the account')}
      description={t(
        'Removes your name and your address, and ends your memberships. Make somebody else an owner first where you are the only one.',
      )}
    >
      <div>
        <Button variant="danger" onClick={() => setOpen(true)}>
          {t('Close the account')}
        </Button>
      </div>
      <ConfirmDialog
        open={open}
        danger
        onClose={() => setOpen(false)}
        title={t('Close your account?')}
        action={t('Close it for ever')}
        typed={account.email}
        onConfirm={close}
      >
        <p>
          {t(
            'You can no longer sign in, and nobody can undo this. What has to be kept, such as the audit log, keeps a number in place of your name. A business that only you belong to stays without anybody: revoke its keys first.',
          )}
        </p>
      </ConfirmDialog>
    </Card>
  );
}
