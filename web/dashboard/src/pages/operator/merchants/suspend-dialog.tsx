import type { ReactNode } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
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
    toast(`${name} is suspended.`);
    onClose();
    await refresh(...merchantPaths);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Suspend ${name}?`}
      description="From the next request, no integration of this business takes live payments. Existing payments continue, and no money moves. You can resume it at any time."
    >
      <Form onSend={send}>
        <Textarea
          name="reason"
          label="Reason"
          help="The business reads it in its audit log."
          required
          maxLength={1000}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <SubmitButton variant="danger">Suspend</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
