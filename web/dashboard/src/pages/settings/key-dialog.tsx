import { type ChangeEvent, type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
import { DailyLimits, limitsOf } from './daily-limits.tsx';
import { keyEnd, keyLives } from './durations.ts';
import { type KeyChoices, useKeyChoices } from './queries.ts';
import { callsOf, whyNotMade, whyWithheld } from './withheld.ts';

type KeyDialogProps = {
  open: boolean;
  onClose: () => void;
  onMade: (made: Promise<{ secret_key: string }>) => Promise<void>;
};

type ActionBoxesProps = {
  actions: KeyChoices['actions'];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  withheld: KeyChoices['withheld'];
};

/** A box for each call that a key may be given, with what it allows; one that this person may not give says why. */
function ActionBoxes({ actions, chosen, onChange, withheld }: ActionBoxesProps): ReactNode {
  return actions.map(({ name, words }) => (
    <Checkbox
      key={name}
      name="actions"
      value={name}
      label={<span className="inline-block first-letter:uppercase">{ofGateway(name)}</span>}
      disabled={name in withheld}
      help={whyWithheld(withheld, name) ?? t('May {words}.', { words: ofGateway(words) })}
      checked={chosen.includes(name)}
      onChange={({ target }: ChangeEvent<HTMLInputElement>) =>
        onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
      }
    />
  ));
}

const nothing: KeyChoices = { actions: [], assets: [], withheld: {} };

/** Makes a restricted key: for some calls, from some addresses, up to a daily limit. */
export function KeyDialog({ open, onClose, onMade }: KeyDialogProps): ReactNode {
  const { path } = useScope();
  const choices = useKeyChoices().data ?? nothing;
  const [all, setAll] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { actions, assets, withheld } = choices;
  const whyNotAll = whyNotMade(choices, null);
  const named = actions.filter(({ named_only }) => named_only);
  const spends = actions.some(({ name, moves_money }) => moves_money && chosen.includes(name));

  const boxes = { chosen, onChange: setChosen, withheld };

  async function make(values: FormValues): Promise<null> {
    const addresses = (values.addresses ?? '').split(/[\s,]+/).filter(Boolean);
    const limits = limitsOf(values, assets);
    const body = {
      name: values.name,
      ...(all ? {} : { actions: chosen }),
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(limits ? { daily_limits: limits } : {}),
      ...(limits && values.asks_above ? { asks_above: true } : {}),
      ...(values.ends ? { ends_at: keyEnd(Number(values.ends)) } : {}),
    };
    await onMade(api(path('/keys'), { body }));
    setChosen([]);
    return null;
  }

  return (
    <FormDialog
      wide
      open={open}
      onClose={onClose}
      title={t('New restricted key')}
      description={t('Give each of your servers a key that may do only what that server needs.')}
      onSend={make}
      action={t('Create the key')}
      disabled={!all && chosen.length === 0}
    >
      <Input
        name="name"
        label={t('Name')}
        help={t('Where the key is used, for example: Till in Berlin.')}
        required
        maxLength={100}
      />
      <RadioGroup
        name="calls"
        label={t('What it may do')}
        value={all ? 'all' : 'some'}
        onChange={(value) => setAll(value === 'all')}
        choices={[
          { value: 'some', label: t('Only these calls') },
          {
            value: 'all',
            label: t('Everything but: {calls}', { calls: callsOf(named) }),
            help: whyNotAll ?? t('Those a key may do only where it names them.'),
            disabled: whyNotAll !== undefined,
          },
        ]}
      />
      {!all && (
        <fieldset className="grid gap-x-4 sm:grid-cols-2">
          <legend className="sr-only">{t('Calls')}</legend>
          <ActionBoxes {...boxes} actions={actions.filter(({ moves_money }) => !moves_money)} />
        </fieldset>
      )}
      {!all && (
        <fieldset className="grid gap-2 rounded-lg border border-waiting p-3">
          <legend className="px-1 text-sm font-semibold">{t('Money leaves by these')}</legend>
          <p className="text-sm text-quiet">
            {t('Whoever has such a key can spend your balance. Give it to one server, and set daily limits.')}
          </p>
          <ActionBoxes {...boxes} actions={actions.filter(({ moves_money }) => moves_money)} />
        </fieldset>
      )}
      {(all || spends) && <DailyLimits assets={assets} />}
      <Select
        name="ends"
        label={t('It ends by itself')}
        help={t('A key for an agent or for a short work should end.')}
        choices={keyLives()}
      />
      <Textarea
        name="addresses"
        label={t('Addresses it may call from')}
        help={t('IP addresses or blocks such as 203.0.113.0/24, one per line. Empty: from everywhere.')}
        rows={2}
        required={false}
        className="font-mono"
      />
    </FormDialog>
  );
}
