import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';

/** How much the key may spend in a day. With a limit for one asset, assets without a limit may not be spent. */
export function DailyLimits({ assets }: { assets: string[] }): ReactNode {
  const [rows, setRows] = useState(0);
  return (
    <fieldset className="grid gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-semibold">{t('Daily limits')}</legend>
      <p className="text-sm text-quiet">
        {rows === 0
          ? t('Without a limit this key may spend the whole balance.')
          : t(
              'Counted by UTC day, for users funded and for payouts and refunds each. Assets without a limit here may not be spent.',
            )}
      </p>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are added at the end and never move
        <div key={row} className="grid grid-cols-2 gap-3">
          <Select
            label={t('Asset {row}', { row: row + 1 })}
            name={`asset ${row}`}
            defaultValue={assets[row]}
            choices={assets.map((asset) => ({ value: asset, label: asset }))}
          />
          <Input
            label={t('Most in a day {row}', { row: row + 1 })}
            name={`limit ${row}`}
            inputMode="decimal"
            placeholder="100"
            pattern="\d+(\.\d+)?"
            data-wrong={t('Write a decimal number, such as 100 or 0.5.')}
            required
          />
        </div>
      ))}
      {rows < assets.length && (
        <div>
          <Button size="small" onClick={() => setRows(rows + 1)}>
            <Plus size={15} aria-hidden /> {t('Add a limit')}
          </Button>
        </div>
      )}
      {rows > 0 && (
        <Checkbox
          name="asks_above"
          value="yes"
          label={t('What exceeds them waits for approval')}
          help={t(
            'Somebody else than you approves it then. Otherwise it is refused, as funding a user always is.',
          )}
        />
      )}
    </fieldset>
  );
}

/** The limits that were filled in, by asset; undefined when there is none. */
export function limitsOf(values: FormValues, assets: string[]): Record<string, string> | undefined {
  const limits = assets.flatMap((_, row): [string, string][] => {
    const [asset, limit] = [values[`asset ${row}`], values[`limit ${row}`]?.trim()];
    return asset && limit ? [[asset, limit]] : [];
  });
  return limits.length > 0 ? Object.fromEntries(limits) : undefined;
}
