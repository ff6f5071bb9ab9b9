import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { FormDialog, type FormDialogProps } from '../../ui/dialog/form-dialog.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';

export type SendForm = { to: string; memo: string; reason: string };

/** Asks where to send live money to. The gateway sends it, which cannot be undone. */
export function SendDialog({
  amount,
  description,
  sender,
  asksReason = false,
  onSend,
  ...ends
}: Pick<FormDialogProps, 'changes' | 'onClose' | 'onDone'> & {
  /** With its currency. */
  amount: string;
  description: string;
  /** Where the money came from, which is offered. */
  sender: string | null;
  asksReason?: boolean;
  /** Orders it, and answers what the toast says. */
  onSend: (form: SendForm) => Promise<string>;
}): ReactNode {
  return (
    <FormDialog
      {...ends}
      title={t('Send {amount}', { amount })}
      description={description}
      action={t('Send it')}
      onSend={({ to = '', memo = '', reason = '' }) => onSend({ to, memo, reason })}
    >
      {sender !== null && (
        <Banner tone="waiting" title={t('Is this their own account?')}>
          {t(
            'It is where the money came from. An exchange sends for all its customers from its own accounts. Money sent back to one of them does not reach the customer without the memo that the exchange gave them. Ask the customer if you do not know.',
          )}
        </Banner>
      )}
      <Textarea
        name="to"
        label={t('Address')}
        help={t('Begins with G or M. Compare the whole of it with what the customer named.')}
        defaultValue={sender ?? ''}
        rows={3}
        className="font-mono break-all"
        spellCheck={false}
        autoCapitalize="off"
        required
        maxLength={200}
        autoComplete="off"
      />
      <Input
        name="memo"
        label={t('Memo')}
        help={t(
          'Only if the customer named one: exchanges find their customers by it. At most 28 bytes: 28 English letters or digits, fewer of other letters.',
        )}
        code
        required={false}
        maxLength={28}
        autoComplete="off"
      />
      {asksReason && <Textarea name="reason" label={t('Why it is sent back')} required maxLength={2000} />}
    </FormDialog>
  );
}
