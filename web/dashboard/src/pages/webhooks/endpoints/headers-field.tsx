import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { FieldNotes, useControl } from '../../../ui/form/field.tsx';
import { Input } from '../../../ui/form/input.tsx';

/** A header as it is typed. `known`: it has a value already, which stays unless a new one is typed. */
export type HeaderRow = { key: string; name: string; value: string; known: boolean };

const maxHeaders = 10;

/** Headers of the merchant's own that go with every webhook, such as a token for a firewall. */
export function HeadersField({
  rows,
  onChange,
}: {
  rows: readonly HeaderRow[];
  onChange: (rows: HeaderRow[]) => void;
}): ReactNode {
  const change = (key: string, values: Partial<HeaderRow>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...values } : row)));
  const id = useId();
  const { fault } = useControl(id, { name: 'headers' });
  const [, wrongRow, wrongPart] = /^headers\.(\d+)\.(\w+) /.exec(fault ?? '') ?? [];
  return (
    <fieldset name="headers" className="grid gap-2">
      <legend className="mb-1.5 text-sm font-semibold">
        {rich('Headers of your own {span}', {
          span: <span className="font-normal text-quiet">{t('(optional)')}</span>,
        })}
      </legend>
      <p className="text-sm text-quiet">
        {t(
          'Sent with every webhook, for a firewall or a login in front of your server. Values are kept encrypted and not shown again. If you change the host of the address, enter them again.',
        )}
      </p>
      {rows.map((row, index) => (
        <HeaderFields
          key={row.key}
          row={row}
          number={index + 1}
          fault={wrongRow === `${index}` ? { part: wrongPart, words: fault } : undefined}
          onChange={(values) => change(row.key, values)}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      {wrongRow === undefined && <FieldNotes id={id} fault={fault} />}
      <div>
        <Button
          size="small"
          disabled={rows.length >= maxHeaders}
          onClick={() => onChange([...rows, { key: crypto.randomUUID(), name: '', value: '', known: false }])}
        >
          <Plus size={15} aria-hidden /> {t('Add a header')}
        </Button>
      </div>
    </fieldset>
  );
}

function HeaderFields({
  row,
  number,
  fault,
  onChange,
  onRemove,
}: {
  row: HeaderRow;
  number: number;
  fault: { part: string | undefined; words: string | undefined } | undefined;
  onChange: (values: Partial<HeaderRow>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
        <Input
          name={`header ${number} name`}
          label={t('Name of header {number}', { number })}
          error={fault?.part === 'name' ? wordsOf(fault.words) : undefined}
          labelHidden
          code
          placeholder={t('Authorization')}
          maxLength={64}
          required
          readOnly={row.known}
          value={row.name}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value.trim() })}
        />
        <Input
          name={`header ${number} value`}
          label={t('Value of header {number}', { number })}
          error={fault?.part === 'value' ? wordsOf(fault.words) : undefined}
          labelHidden
          code
          placeholder={row.known ? 'unchanged' : 'Basic …'}
          maxLength={1024}
          required={!row.known}
          value={row.value}
          autoComplete="off"
          onChange={(event) => onChange({ value: event.target.value })}
        />
      </div>
      <IconButton icon={X} label={t('Remove header {number}', { number })} onClick={onRemove} />
    </div>
  );
}

/** What is wrong, without the path that names the field. */
function wordsOf(fault: string | undefined): string | undefined {
  return fault?.replace(/^\S+ is invalid: /, '');
}
