import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMerchant } from '../../api/scope.ts';
import { given } from '../../api/search.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { type AuditSearch, readAuditSearch } from './search.ts';

/** What the log shows: every change, or what concerns security. */
export const logs = [
  { value: '', label: t('Changes') },
  { value: 'security', label: t('Security') },
];

/** The filters of the log, which are part of the address. */
export function AuditFilters({ search }: { search: AuditSearch }): ReactNode {
  const { id, integrations } = useMerchant();
  const navigate = useNavigate();
  const { cursor: _, open: __, ...chosen } = search;
  return (
    <Form
      // A new key fills the form again when the address changes.
      key={JSON.stringify(chosen)}
      label={t('Filters')}
      className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[auto_1fr_1fr_1fr_auto_auto_auto]"
      onSend={(values) =>
        navigate({ to: '/m/$merchant/audit', params: { merchant: id }, search: readAuditSearch(values) })
      }
    >
      <div className="max-lg:col-span-2">
        <Select label={t('Log')} name="about" defaultValue={search.about ?? ''} choices={logs} />
      </div>
      <Input label={t('Who')} name="person" defaultValue={search.person} placeholder="ada@example.com" />
      <Input label={t('What')} name="action" defaultValue={search.action} placeholder="key" />
      <div className="max-lg:col-span-2">
        <Select
          label={t('Integration')}
          name="integration"
          defaultValue={search.integration ?? ''}
          choices={[
            { value: '', label: t('All') },
            ...integrations.map(({ id: value, name }) => ({ value, label: name })),
          ]}
        />
      </div>
      <Input label={t('From')} name="from" type="date" defaultValue={search.from} />
      <Input label={t('Until')} name="to" type="date" defaultValue={search.to} />
      <div className="flex gap-2">
        <SubmitButton variant="quiet">{t('Filter')}</SubmitButton>
        {Object.keys(given(chosen)).length > 0 && (
          <Link to="/m/$merchant/audit" params={{ merchant: id }} className={buttonClass('plain')}>
            {t('Clear')}
          </Link>
        )}
      </div>
    </Form>
  );
}
