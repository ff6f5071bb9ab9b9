import { type ReactNode, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { mailsPath, sendTestMail } from './queries.ts';

/** Sends a mail to test the mail server. */
export function TestMailButton(): ReactNode {
  const { account } = useSession();
  const [open, setOpen] = useState(false);

  async function send({ to = '' }: Record<string, string>): Promise<string> {
    await sendTestMail(to);
    return t('A test mail to {to} is in the outbox.', { to });
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Send a test mail')}</Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('Send a test mail')}
        onSend={send}
        action={t('Send')}
        changes={[mailsPath]}
      >
        <Input name="to" type="email" label={t('To')} required defaultValue={account.email} maxLength={254} />
      </FormDialog>
    </>
  );
}
