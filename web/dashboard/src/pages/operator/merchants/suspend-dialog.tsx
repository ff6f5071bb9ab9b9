import type { ReactNode } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { merchantPaths, suspendMerchant } from './queries.ts';

/** Suspends a whole business, with a reason that the business can read. */
export function SuspendDialog({
  merchant: { id, name },
  onClose,
}: {
  merchant: { id: string; name: string };
  onClose: () => void;
}): ReactNode {
  const refresh = useRefresh();

  async function send({ reason = '' }: Record<string, string>): Promise<void> {
    await suspendMerchant(id, reason);
    toast(t('{name} is suspended.', { name }));
    onClose();
    await refresh(...merchantPaths);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Suspend {name}?', { name })}
      description={t(
        'From the next request, no integration of this business takes live payments. Existing payments continue, and no money moves. You can resume it at any time.',
      )}
    >
      <Form onSend={send}>
        <Textarea
          name="reason"
          label={t('Reason')}
          help={t('The business reads it in its audit log.')}
          required
          maxLength={1000}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton variant="danger">{t('Suspend')}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
