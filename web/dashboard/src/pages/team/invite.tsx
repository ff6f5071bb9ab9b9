import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { invitationsPath, merchantPath } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Asks for the address and the role of an invitation. */
export function Invite({ onClose }: { onClose: () => void }): ReactNode {
  const { id, name } = useMerchant();
  const { sends_mail: sendsMail } = useSession();
  const refresh = useRefresh();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Invite somebody to {name}', { name })}
      description={
        sendsMail
          ? t('They get a mail with a link. It works for seven days, and only for this address.')
          : t(
              'There is no mail server, so the link waits among the messages of the operators. It works for seven days, and only for this address.',
            )
      }
    >
      <Form
        label={t('Invite')}
        onSend={async (values) => {
          await api(invitationsPath(id), { body: values });
          onClose();
          const email = `${values.email}`;
          toast(
            sendsMail
              ? t('The invitation is on its way to {email}', { email })
              : t('The link for {email} waits among the messages of the operators', { email }),
          );
          await refresh(invitationsPath(id), `${merchantPath(id)}/audit`);
        }}
      >
        <Input
          label={t('E-mail address')}
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          required
        />
        <RoleChoice chosen="developer" />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('Back')}</Button>
          <SubmitButton>{t('Send the invitation')}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
