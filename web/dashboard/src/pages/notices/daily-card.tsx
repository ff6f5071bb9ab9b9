import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { language as ofPage } from '../../texts/language.ts';
import { languages } from '../../texts/languages.ts';
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

const spoken = Object.entries(languages).map(([value, label]) => ({ value, label }));

/** When what comes once a day comes, and in which language a person is told. */
export function DailyCard({ person: { time_zone, hour, language } }: { person: NoticePerson }): ReactNode {
  const save = ({ time_zone: zone = '', hour: at = '0', language: chosen }: FormValues) =>
    api(personPath, { method: 'PUT', body: { time_zone: zone, hour: Number(at), language: chosen } });
  return (
    <Card
      title={t('Hour and language')}
      description={t('Mails by day and summaries come at this hour, for all integrations of your account.')}
    >
      <SettingsForm
        label={t('Hour and language')}
        may
        action={t('Save hour and language')}
        onSend={save}
        done={t('Hour and language saved')}
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
        <Select
          key={`language ${language}`}
          name="language"
          label={t('Language of notices')}
          choices={spoken}
          defaultValue={language ?? ofPage}
        />
      </SettingsForm>
    </Card>
  );
}
