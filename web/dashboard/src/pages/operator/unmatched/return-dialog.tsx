import type { ReactNode } from 'react';
import { amountText, assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { SendDialog, type SendForm } from '../send-dialog.tsx';
import { depositPaths, returnDeposit, type UnmatchedDeposit } from './queries.ts';

/** Sends an unmatched deposit back to its sender. */
export function SendBackDialog({
  deposit,
  onClose,
  onDone,
}: {
  deposit: UnmatchedDeposit;
  onClose: () => void;
  /** Runs once it is ordered, when the deposit has left its list. */
  onDone: () => void;
}): ReactNode {
  const amount = `${amountText(deposit.amount)} ${assetName(deposit.asset)}`;

  async function send(form: SendForm): Promise<string> {
    return outcomeWords(
      await returnDeposit(deposit.id, form),
      t('The return of {amount} is ordered.', { amount }),
    );
  }

  return (
    <SendDialog
      amount={amount}
      description={t('It belongs to no payment, and the whole amount is sent back. This cannot be undone.')}
      sender={deposit.sender}
      asksReason
      onSend={send}
      changes={depositPaths}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
