import type { ReactNode } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { Textarea } from '../../../ui/form/textarea.tsx';
import { toastOutcome } from '../../../ui/toast/done.ts';
import { assignUnmatched, depositPaths, keepUnmatched, type UnmatchedDeposit } from './queries.ts';

type DepositDialogProps = {
  deposit: UnmatchedDeposit;
  onClose: () => void;
  /** Runs once it is decided, when the deposit has left its list. */
  onDone: () => void;
};

const amountOf = ({ amount, asset }: UnmatchedDeposit): string => `${amount} ${assetName(asset)}`;

/** Assigns a deposit to a payment: the one that was picked, or any other by its reference. */
export function AssignDialog({
  deposit,
  reference,
  onClose,
  onDone,
}: DepositDialogProps & { reference: string }): ReactNode {
  const refresh = useRefresh();

  async function send({ payment_reference = '', reason = '' }: Record<string, string>): Promise<void> {
    const assigned = await assignUnmatched(deposit.id, {
      payment_reference: payment_reference.trim(),
      reason,
    });
    toastOutcome(assigned, (to) =>
      t('{deposit} is assigned to {reference}, which is {paymentStatus} now.', {
        deposit: amountOf(deposit),
        reference: to.reference,
        paymentStatus: to.payment_status,
      }),
    );
    onDone();
    await refresh(...depositPaths);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Assign {deposit}', { deposit: amountOf(deposit) })}
      description={t(
        'It counts for the payment from the time when it arrived, as if it had the right memo. A payment that it covers is completed, and its shop gets a webhook; an overpayment is owed to the customer. This cannot be undone.',
      )}
    >
      <Form onSend={send}>
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
        <Buttons onClose={onClose}>{t('Assign it')}</Buttons>
      </Form>
    </Dialog>
  );
}

/** Notes that a deposit is the operator's own money. */
export function KeepDialog({ deposit, onClose, onDone }: DepositDialogProps): ReactNode {
  const refresh = useRefresh();

  async function send({ reason = '' }: Record<string, string>): Promise<void> {
    toastOutcome(
      await keepUnmatched(deposit.id, { reason }),
      t('{deposit} is noted as your own.', { deposit: amountOf(deposit) }),
    );
    onDone();
    await refresh(...depositPaths);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Is {deposit} your own?', { deposit: amountOf(deposit) })}
      description={t(
        "For money that you sent there yourself, such as what fees are paid from. It stays where it is and counts as the treasury's; it can no longer be assigned to a payment. This cannot be undone.",
      )}
    >
      <Form onSend={send}>
        <Textarea name="reason" label={t('What it is for')} required maxLength={2000} />
        <Buttons onClose={onClose}>{t('It is our own')}</Buttons>
      </Form>
    </Dialog>
  );
}

function Buttons({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>{t('Back')}</Button>
      <SubmitButton>{children}</SubmitButton>
    </div>
  );
}
