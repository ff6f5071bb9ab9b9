import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { mailsPath, sendTestMail } from './queries.ts';

/** Sends a mail to test the mail server. */
export function TestMailButton(): ReactNode {
  const { account } = useSession();
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);

  async function send({ to = '' }: Record<string, string>): Promise<void> {
    await sendTestMail(to);
    toast(t('A test mail to {to} is in the outbox.', { to }));
    setOpen(false);
    await refresh(mailsPath);
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Send a test mail')}</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('Send a test mail')}>
        <Form onSend={send}>
          <Input
            name="to"
            type="email"
            label={t('To')}
            required
            defaultValue={account.email}
            maxLength={254}
          />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{t('Back')}</Button>
            <SubmitButton>{t('Send')}</SubmitButton>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
