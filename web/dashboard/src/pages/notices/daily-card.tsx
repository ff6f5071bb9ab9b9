import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../texts/t.ts';
import type { FormValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { type NoticePerson, personPath } from './queries.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: `${hour}`,
  label: `${hour}:00`.padStart(5, '0'),
}));

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

function zonesWith(zone: string): { value: string; label: string }[] {
  const all = new Set(['UTC', zone, here, ...Intl.supportedValuesOf('timeZone')]);
  return [...all].sort().map((value) => ({ value, label: value }));
}

/** When what comes once a day comes. */
export function DailyCard({ person: { time_zone, hour } }: { person: NoticePerson }): ReactNode {
  const save = ({ time_zone: zone = '', hour: at = '0' }: FormValues) =>
    api(personPath, { method: 'PUT', body: { time_zone: zone, hour: Number(at) } });
  return (
    <Card
      title={t('Once a day')}
      description={t('Mails by day and summaries come at this hour, for all integrations of your account.')}
    >
      <SettingsForm
        label={t('Once a day')}
        may
        action={t('Save the hour')}
        onSend={save}
        done={t('Hour saved')}
        changes={[personPath]}
      >
        <Select key={`hour ${hour}`} name="hour" label={t('Hour')} choices={hours} defaultValue={`${hour}`} />
        <Select
          key={`zone ${time_zone}`}
          name="time_zone"
          label={t('Time zone')}
          help={t('Your browser is in {zone}.', { zone: here })}
          choices={zonesWith(time_zone)}
          defaultValue={time_zone}
        />
      </SettingsForm>
    </Card>
  );
}
