import type { AuditEntry } from '../../../../../gateway/src/identity/console/answers/team.ts';
import { t } from '../../texts/t.ts';

export type { AuditEntry };

/** One value of an entry; `changed` is false if it is the same before and after. */
export type Difference = {
  name: string;
  before: string | null;
  after: string | null;
  changed: boolean;
};

/** The values before and after, in words: `live_deadline_seconds` is `live deadline seconds`. */
export function differencesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const values = { before: textOf(before?.[name]), after: textOf(after?.[name]) };
      const compared = before !== null && after !== null;
      return {
        name: name.replaceAll('_', ' '),
        ...values,
        changed: !compared || values.before !== values.after,
      };
    })
    .sort((a, b) => Number(b.changed) - Number(a.changed));
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (Array.isArray(value))
    return value.length > 0 ? value.map((each) => textOf(each) ?? '–').join(', ') : t('none');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
