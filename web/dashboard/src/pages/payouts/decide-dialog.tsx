import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
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
  const { title, action, done } = words[ending];

  async function end({ reason = '' }: Record<string, string>): Promise<string> {
    await api(`${side.base}/${payout.id}/${ending}`, { body: { reason } });
    return done;
  }

  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={t('Nothing is sent, and the money is available again. This cannot be undone.')}
      onSend={end}
      label={title}
      action={action}
      danger
      changes={side.changes}
    >
      <Textarea
        name="reason"
        label={t('Reason')}
        help={t('Whoever asked reads it.')}
        rows={3}
        required
        maxLength={500}
      />
    </FormDialog>
  );
}
