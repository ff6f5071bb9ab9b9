import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { passkeyHindrance } from '../../api/passkeys.ts';
import { useSession } from '../../api/session.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PasskeyName } from './passkey-name.tsx';
import { activityPath, type Passkey, passkeysPath, usePasskeys } from './queries.ts';

type Act = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** The person's passkeys. Each of them is enough to sign in, without password and code. */
export function Passkeys(): ReactNode {
  const { account } = useSession();
  const list = usePasskeys();
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const hindrance = passkeyHindrance();
  return (
    <Card
      title={t('Passkeys')}
      description={t(
        'Sign in with the fingerprint, face or PIN of your device. You have nothing to remember, and false sites cannot steal it.',
      )}
      actions={
        hindrance === null && (
          <Button
            size="small"
            disabled={!account.email_verified}
            title={account.email_verified ? undefined : t('Confirm your e-mail address first')}
            onClick={() => setAct({ kind: 'add' })}
          >
            <Plus size={16} aria-hidden /> {t('Create a passkey')}
          </Button>
        )
      }
    >
      {hindrance !== null && <Banner>{hindrance}</Banner>}
      <Loaded query={list} rows={1}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-quiet">{t('You have no passkey yet.')}</p>
          ) : (
            <ul className="-mb-2 divide-y divide-line">
              {items.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} onAct={(kind) => setAct({ kind, passkey })} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {act?.kind === 'add' && <PasskeyName passkey={null} onClose={close} />}
      {act?.kind === 'rename' && <PasskeyName passkey={act.passkey} onClose={close} />}
      {act?.kind === 'remove' && <RemovePasskey passkey={act.passkey} onClose={close} />}
    </Card>
  );
}

type PasskeyRowProps = { passkey: Passkey; onAct: (kind: 'rename' | 'remove') => void };

function PasskeyRow({ passkey, onAct }: PasskeyRowProps): ReactNode {
  const name = passkey.name ?? t('Passkey');
  return (
    <li className="flex items-center gap-3 py-2">
      <KeyRound size={18} aria-hidden className="shrink-0 text-quiet" />
      <div className="grid min-w-0 flex-1">
        <span className="truncate font-semibold">{name}</span>
        <span className="text-sm text-quiet">
          {rich('Added {time}', { time: <Time at={passkey.created_at} /> })}
        </span>
      </div>
      {passkey.backed_up && <Badge>{t('Synced')}</Badge>}
      <IconButton icon={Pencil} label={t('Rename {name}', { name })} onClick={() => onAct('rename')} />
      <IconButton icon={Trash2} label={t('Remove {name}', { name })} onClick={() => onAct('remove')} />
    </li>
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactNode {
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={t('Remove {name}?', { name: passkey.name ?? t('this passkey') })}
      action={t('Remove the passkey')}
      onConfirm={() => api(`${passkeysPath}/${passkey.id}`, { method: 'DELETE', body: {} })}
      done={t('Passkey removed')}
      changes={[passkeysPath, activityPath, 'session']}
    >
      <p>
        {t(
          'You can no longer sign in with it. Your device may still offer it until you delete it there too.',
        )}
      </p>
    </ConfirmDialog>
  );
}
