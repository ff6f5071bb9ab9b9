import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Select } from '../../ui/form/select.tsx';
import { OverlapPicture } from './overlap-picture.tsx';
import type { Key } from './queries.ts';

type RollDialogProps = {
  keyToRoll: Key | null;
  onClose: () => void;
  onRolled: (rolled: Promise<{ secret_key: string }>) => Promise<void>;
};

const overlaps = [
  { value: '0', label: t('None: end the old key at once') },
  { value: '1', label: t('1 day') },
  { value: '2', label: t('2 days') },
  { value: '3', label: t('3 days') },
  { value: '7', label: t('7 days') },
];

/** Replaces a key by a new one. During the overlap both work, so that no call fails. */
export function RollDialog({ keyToRoll, onClose, onRolled }: RollDialogProps): ReactNode {
  const { path } = useScope();
  const [days, setDays] = useState('1');
  const signs = keyToRoll?.kind === 'signing';

  async function roll(): Promise<null> {
    await onRolled(api(path(`/keys/${keyToRoll?.id}/roll`), { body: { overlap_days: Number(days) } }));
    return null;
  }

  return (
    <FormDialog
      open={keyToRoll !== null}
      onClose={onClose}
      title={t('Roll {name}', { name: keyToRoll?.name ?? t('the signing key') })}
      description={t('You get a new secret. The new key may do exactly what the old one may.')}
      onSend={roll}
      action={t('Roll the key')}
    >
      <Select
        label={t('How long both work')}
        name="overlap_days"
        value={days}
        choices={overlaps}
        onChange={(event) => setDays(event.target.value)}
        help={
          days === '0'
            ? t(
                'Choose this if somebody else knows the old key. Your calls fail until your server has the new one.',
              )
            : t('Put the new key into your server within this time, and no call fails.')
        }
      />
      <OverlapPicture days={Number(days)} />
      {signs && days !== '0' && (
        <p className="text-sm text-quiet">
          {t(
            'Webhooks are signed with the old key until the overlap ends, or until you press “Switch signing now”.',
          )}
        </p>
      )}
    </FormDialog>
  );
}
