import type { ReactNode } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { assetName } from '../../../format/amount.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { SendDialog, type SendForm } from '../send-dialog.tsx';
import { type Stray, sendStrayBack, strayPaths } from './queries.ts';

/** Sends money that named no payment back to whoever it came from. */
export function SendBackDialog({
  stray,
  onClose,
  onDone,
}: {
  stray: Stray;
  onClose: () => void;
  /** Runs once it is ordered, when the stray is no longer in its list. */
  onDone: () => void;
}): ReactNode {
  const refresh = useRefresh();
  const amount = `${stray.amount} ${assetName(stray.asset)}`;

  async function send(form: SendForm): Promise<void> {
    await sendStrayBack(stray.id, form);
    toast(`${amount} are on their way back.`);
    onDone();
    await refresh(...strayPaths);
  }

  return (
    <SendDialog
      amount={amount}
      description="It belongs to no payment, and goes back as a whole. What is sent nobody can bring back."
      sender={stray.sender}
      asksReason
      onSend={send}
      onClose={onClose}
    />
  );
}
