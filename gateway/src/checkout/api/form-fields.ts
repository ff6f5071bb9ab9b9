import { isCleanText } from '../../kit/http/fields.ts';

/** The fields of a form or a query, as they were received. */
export type Fields = Record<string, unknown>;

/** A field's text; undefined when it is absent, given twice, or text that the database cannot hold. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && isCleanText(value) ? value : undefined;
}
