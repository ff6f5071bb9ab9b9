import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';

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
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-semibold">
        Headers of your own <span className="font-normal text-quiet">(optional)</span>
      </legend>
      <p className="text-sm text-quiet">
        Sent with every webhook, for a firewall or a login in front of your server. Values are kept encrypted
        and not shown again.
      </p>
      {rows.map((row, index) => (
        <HeaderFields
          key={row.key}
          row={row}
          number={index + 1}
          onChange={(values) => change(row.key, values)}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <div>
        <Button
          size="small"
          disabled={rows.length >= maxHeaders}
          onClick={() => onChange([...rows, { key: crypto.randomUUID(), name: '', value: '', known: false }])}
        >
          <Plus size={15} aria-hidden /> Add a header
        </Button>
      </div>
    </fieldset>
  );
}

function HeaderFields({
  row,
  number,
  onChange,
  onRemove,
}: {
  row: HeaderRow;
  number: number;
  onChange: (values: Partial<HeaderRow>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2">
      <Input
        label={`Name of header ${number}`}
        labelHidden
        code
        placeholder="Authorization"
        maxLength={64}
        required
        readOnly={row.known}
        value={row.name}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value.trim() })}
      />
      <Input
        label={`Value of header ${number}`}
        labelHidden
        code
        placeholder={row.known ? 'unchanged' : 'Basic …'}
        maxLength={1024}
        required={!row.known}
        value={row.value}
        autoComplete="off"
        onChange={(event) => onChange({ value: event.target.value })}
      />
      <IconButton icon={X} label={`Remove header ${number}`} onClick={onRemove} />
    </div>
  );
}
