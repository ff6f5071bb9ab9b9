import type { ReactNode } from 'react';
import { amountText, assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { assignUnmatched, depositPaths, keepUnmatched, type UnmatchedDeposit } from './queries.ts';

type DepositDialogProps = {
  deposit: UnmatchedDeposit;
  onClose: () => void;
  /** Runs once it is decided, when the deposit has left its list. */
  onDone: () => void;
};

const amountOf = ({ amount, asset }: UnmatchedDeposit): string => `${amountText(amount)} ${assetName(asset)}`;

/** Assigns a deposit to a payment: the one that was picked, or any other by its reference. */
export function AssignDialog({
  deposit,
  reference,
  onClose,
  onDone,
}: DepositDialogProps & { reference: string }): ReactNode {
  async function send({ payment_reference = '', reason = '' }: Record<string, string>): Promise<string> {
    const assigned = await assignUnmatched(deposit.id, {
      payment_reference: payment_reference.trim(),
      reason,
    });
    return outcomeWords(assigned, (to) =>
      t('{deposit} is assigned to {reference}, which is {paymentStatus} now.', {
        deposit: amountOf(deposit),
        reference: to.reference,
        paymentStatus: to.payment_status,
      }),
    );
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Assign {deposit}', { deposit: amountOf(deposit) })}
      description={t(
        'It counts for the payment from the time when it arrived, as if it had the right memo. A payment that it covers is completed, and its shop gets a webhook; an overpayment is owed to the customer. This cannot be undone.',
      )}
      onSend={send}
      action={t('Assign it')}
      changes={depositPaths}
      onDone={onDone}
    >
      <Input
        name="payment_reference"
        label={t('Payment')}
        help={t('The reference of a live payment in the same currency.')}
        defaultValue={reference}
        code
        required
        maxLength={100}
        autoComplete="off"
      />
      <Textarea
        name="reason"
        label={t('How do you know?')}
        help={t(
          'Everybody can read a transaction on the network, so knowing it proves nothing. The business reads this in its audit log.',
        )}
        required
        maxLength={2000}
      />
    </FormDialog>
  );
}

/** Notes that a deposit is the operator's own money. */
export function KeepDialog({ deposit, onClose, onDone }: DepositDialogProps): ReactNode {
  async function send({ reason = '' }: Record<string, string>): Promise<string> {
    return outcomeWords(
      await keepUnmatched(deposit.id, { reason }),
      t('{deposit} is noted as your own.', { deposit: amountOf(deposit) }),
    );
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('Is {deposit} your own?', { deposit: amountOf(deposit) })}
      description={t(
        "For money that you sent there yourself, such as what fees are paid from. It stays where it is and counts as the treasury's; it can no longer be assigned to a payment. This cannot be undone.",
      )}
      onSend={send}
      action={t('It is our own')}
      changes={depositPaths}
      onDone={onDone}
    >
      <Textarea name="reason" label={t('What it is for')} required maxLength={2000} />
    </FormDialog>
  );
}
