import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { logs } from '../../audit/audit-filters.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';

const none = {
  about: undefined,
  person: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
};

/** Narrows the staff log by who, what and when; the address keeps it. */
export function StaffLogFilters(): ReactNode {
  const [{ about, person, action, from, to }, change] = useOperatorSearch();
  const isFiltered = [about, person, action, from, to].some((each) => each !== undefined);

  async function send(values: FormValues): Promise<void> {
    const { about, person, action, from, to } = values;
    change({
      about: about === 'security' ? about : undefined,
      person: person?.trim() || undefined,
      action: action?.trim() || undefined,
      from: from || undefined,
      to: to || undefined,
      cursor: undefined,
    });
  }

  return (
    <Form
      key={[about, person, action, from, to].join(' ')}
      label={t('Filters')}
      onSend={send}
      className="grid grid-cols-2 items-end gap-3 md:grid-cols-[auto_1fr_1fr_auto_auto_auto]"
    >
      <div className="max-md:col-span-2">
        <Select label={t('Log')} name="about" defaultValue={about ?? ''} choices={logs} />
      </div>
      <Input name="person" label={t('Who')} defaultValue={person} maxLength={200} />
      <Input
        name="action"
        label={t('What')}
        placeholder="fee, mail, audit"
        defaultValue={action}
        maxLength={200}
      />
      <Input name="from" type="date" label={t('From')} defaultValue={from} />
      <Input name="to" type="date" label={t('Until')} defaultValue={to} />
      <div className="flex gap-2">
        <Button type="submit">{t('Filter')}</Button>
        {isFiltered && (
          <Button variant="plain" onClick={() => change(none)}>
            {t('Clear')}
          </Button>
        )}
      </div>
    </Form>
  );
}
