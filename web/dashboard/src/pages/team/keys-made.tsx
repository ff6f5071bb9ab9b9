import type { ChangeEvent, ReactNode } from 'react';
import { ofGateway } from '../../texts/of-gateway.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { type Changed, type KeyOfMember, useKeysMade } from './queries.ts';

type KeysMadeProps = {
  changed: Changed;
  /** The ids of the keys that are revoked with the change. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
};

/** The keys that a member made, each to be revoked in the same step; nothing where there are none. */
export function KeysMade({ changed, chosen, onChange }: KeysMadeProps): ReactNode {
  const keys = useKeysMade(changed);
  if (keys.isPending) return <SkeletonRows rows={1} />;
  if (keys.isError) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />;
  const { items } = keys.data;
  if (items.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-2 rounded-lg border border-waiting p-3">
      <legend className="px-1 text-sm font-semibold">{t('Keys that they made')}</legend>
      <p className="text-sm text-quiet">
        {t(
          'A key that is not chosen stays valid for whoever has it. Revoke those that no server of yours uses.',
        )}
      </p>
      {items.map((key) => (
        <Checkbox
          key={key.id}
          disabled={!key.may_revoke}
          label={<KeyWords made={key} />}
          help={<KeyNotes made={key} />}
          checked={chosen.includes(key.id)}
          onChange={({ target }: ChangeEvent<HTMLInputElement>) =>
            onChange(target.checked ? [...chosen, key.id] : chosen.filter((each) => each !== key.id))
          }
        />
      ))}
    </fieldset>
  );
}

function KeyWords({ made: { name, hint } }: { made: KeyOfMember }): ReactNode {
  return rich('Revoke {name} {hint}', {
    name: <strong className="wrap-anywhere">{name ?? t('Signing key')}</strong>,
    hint: <span className="font-mono whitespace-nowrap text-quiet">{hint}</span>,
  });
}

function KeyNotes({ made }: { made: KeyOfMember }): ReactNode {
  const calls = made.loses.map((action) => ofGateway(action)).join(', ');
  return (
    <span className="grid">
      <span>
        {made.integration} ({ofGateway(made.mode)}) ·{' '}
        {made.last_used_at === null
          ? t('never used')
          : rich('used {time}', { time: <Time at={made.last_used_at} still /> })}
      </span>
      {calls !== '' && <span>{t('It may no longer: {calls}. Roll it to go on.', { calls })}</span>}
      {made.is_signing && <span>{t('Webhooks are signed with it: roll it in the settings.')}</span>}
    </span>
  );
}
