import type { ReactNode } from 'react';
import { useRefresh } from '../../api/refresh.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../button/button.tsx';
import { Form, type FormValues } from '../form/form.tsx';
import { SubmitButton } from '../form/submit-button.tsx';
import { toast } from '../toast/toast.ts';
import { Dialog, type DialogProps } from './dialog.tsx';

export type FormDialogProps = Omit<DialogProps, 'open' | 'footer'> & {
  open?: boolean;
  /** The act itself, as the button says it. */
  action: ReactNode;
  danger?: boolean | undefined;
  /** Whether the act cannot be done as the form is filled in. */
  disabled?: boolean;
  /** Names the form where the title does not. */
  label?: string;
  /** Sends what was filled in, and answers what the toast says; with null the dialog says nothing and does not close. */
  onSend: (values: FormValues) => Promise<string | null>;
  /** Runs in place of `onClose` when it was done. */
  onDone?: () => void;
  /** Paths whose reads are stale afterwards, with everything below them. */
  changes?: readonly string[];
};

/** A dialog with a form for one act: a refusal is shown in it; once the act is done, it closes. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const {
    open = true,
    action,
    danger,
    disabled,
    label,
    onSend,
    onDone,
    changes = [],
    children,
    ...dialog
  } = props;
  const refresh = useRefresh();

  async function send(values: FormValues): Promise<void> {
    const done = await onSend(values);
    if (done !== null) {
      toast(done);
      (onDone ?? dialog.onClose)();
    }
    await refresh(...changes);
  }

  return (
    <Dialog open={open} {...dialog}>
      <Form onSend={send} {...(label !== undefined && { label })}>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={dialog.onClose}>{t('Back')}</Button>
          <SubmitButton variant={danger ? 'danger' : 'primary'} disabled={disabled}>
            {action}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
