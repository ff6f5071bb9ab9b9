import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Input } from '../../ui/form/input.tsx';
import { invitationsPath, merchantPath } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Asks for the address and the role of an invitation. */
export function Invite({ onClose }: { onClose: () => void }): ReactNode {
  const { id, name } = useMerchant();
  const { sends_mail: sendsMail } = useSession();
  return (
    <FormDialog
      wide
      onClose={onClose}
      title={t('Invite somebody to {name}', { name })}
      description={
        sendsMail
          ? t('They get a mail with a link. It works for seven days, and only for this address.')
          : t(
              'There is no mail server, so the link waits among the messages of the operators. It works for seven days, and only for this address.',
            )
      }
      label={t('Invite')}
      action={t('Send the invitation')}
      changes={[invitationsPath(id), `${merchantPath(id)}/audit`]}
      onSend={async (values) => {
        await api(invitationsPath(id), { body: values });
        const email = `${values.email}`;
        return sendsMail
          ? t('The invitation is on its way to {email}', { email })
          : t('The link for {email} waits among the messages of the operators', { email });
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
    </FormDialog>
  );
}
