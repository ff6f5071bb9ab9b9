import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { toast } from '../../ui/toast/toast.ts';
import type { ConsolePayout } from './queries.ts';
import type { Side } from './side.ts';

/** What ends a payout that has not left, for a reason. */
export type Ending = 'reject' | 'fail';

const words: Record<Ending, { title: string; action: string; done: string }> = {
  reject: { title: t('Reject this payout?'), action: t('Reject'), done: t('Payout rejected') },
  fail: { title: t('Let this payout fail?'), action: t('Let it fail'), done: t('Payout failed') },
};

type EndDialogProps = { side: Side; payout: ConsolePayout; ending: Ending; onClose: () => void };

/** Asks for the reason, and ends the payout. */
export function EndDialog({ side, payout, ending, onClose }: EndDialogProps): ReactNode {
  const refresh = useRefresh();
  const { title, action, done } = words[ending];

  async function end({ reason = '' }: Record<string, string>): Promise<void> {
    await api(`${side.base}/${payout.id}/${ending}`, { body: { reason } });
    toast(done);
    onClose();
    await refresh(...side.changes);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={t('Nothing is sent, and the money is available again. This cannot be undone.')}
    >
      <Form onSend={end} label={title}>
        <Textarea
          name="reason"
          label={t('Reason')}
          help={t('Whoever asked reads it.')}
          rows={3}
          required
          maxLength={500}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton variant="danger">{action}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
