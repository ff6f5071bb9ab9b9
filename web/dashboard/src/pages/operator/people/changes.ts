import { t } from '../../../texts/t.ts';
export type FieldChange = { name: string; from: string | undefined; to: string | undefined };

type Facts = Record<string, unknown> | null;

/** What differs between two states, field by field; a field that only one of them has is shown with one value. */
export function changesOf(before: Facts, after: Facts): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({
      name: name.replaceAll('_', ' '),
      from: textOf(before?.[name]),
      to: textOf(after?.[name]),
    }))
    .filter(({ from, to }) => from !== to);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return t('none');
  if (Array.isArray(value)) return value.join(', ') || t('none');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
