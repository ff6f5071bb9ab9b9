import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { merchantPaths, suspendMerchant } from './queries.ts';

/** Suspends a whole business, with a reason that the business can read. */
export function SuspendDialog({
  merchant: { id, name },
  onClose,
}: {
  merchant: { id: string; name: string };
  onClose: () => void;
}): ReactNode {
  async function send({ reason = '' }: Record<string, string>): Promise<string> {
    await suspendMerchant(id, reason);
    return t('{name} is suspended.', { name });
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Suspend {name}?', { name })}
      description={t(
        'From the next request, no integration of this business takes live payments. Existing payments continue, and no money moves. You can resume it at any time.',
      )}
      onSend={send}
      action={t('Suspend')}
      danger
      changes={merchantPaths}
    >
      <Textarea
        name="reason"
        label={t('Reason')}
        help={t('The business reads it in its audit log.')}
        required
        maxLength={1000}
      />
    </FormDialog>
  );
}
