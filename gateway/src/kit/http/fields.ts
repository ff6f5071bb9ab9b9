import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Format } from 'typebox/format';
import { type FieldFault, kitErrors, Refusal, refuse } from '../errors.ts';
import { hasCredentials, isWebAddress, uriOf } from '../web-address.ts';

/** Why a field with this format was refused; the names stand as `format` in the OpenAPI document. */
const formats: Record<string, { check: (text: string) => boolean; why: string }> = {
  text: { check: isCleanText, why: 'must be valid Unicode without NUL' },
  line: { check: isLine, why: 'must be one line of text' },
  email: {
    check: (text) => isCleanText(text) && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
    why: 'must be an e-mail address',
  },
  uri: { check: isWebUrl, why: 'must be an absolute http or https URL' },
  'date-time': { check: isTime, why: 'must be an ISO 8601 time' },
};
for (const [name, { check }] of Object.entries(formats)) Format.Set(name, check);

/** True for text that the database can hold: valid Unicode without NUL. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

// Line breaks would continue a mail in somebody's name, and marks of direction turn what stands after them around.
function isLine(text: string): boolean {
  return isCleanText(text) && /\S/.test(text) && !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(text);
}

/** A name that people give to something: one line, and not blank. */
export const nameField = (maxLength: number) => Type.String({ format: 'line', minLength: 1, maxLength });

function isWebUrl(text: string): boolean {
  return isCleanText(text) && !/[\s\\]/.test(text) && isWebAddress(text);
}

const timePattern = /^(?!0000)\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-](?:0\d|1[0-4]):\d\d))?$/;

// No more than PostgreSQL takes, and nothing of what Date.parse would guess at.
function isTime(text: string): boolean {
  return timePattern.test(text) && (Format.IsDate(text) || Format.IsDateTime(text));
}

/** True when the text is clean and parses to a JSON object. */
export function isJsonObject(text: string): boolean {
  if (!isCleanText(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Judges one field in its own words: the refusal, or null when the value is good. */
export type FieldJudge = (value: unknown, input: Readonly<Record<string, unknown>>) => Refusal | null;

/**
 * Makes a reader of untrusted objects. Fields are judged in the schema's order; null and '' mean absent;
 * unknown fields are left out. A field with a judge of its own is judged by that alone. Web addresses are given as
 * URIs, however they were written.
 * Throws the first fault, with all of them in `details` when there are several (contract.md 1).
 */
export function fieldReader<Schema extends TObject>(
  schema: Schema,
  judges: { [Field in keyof Schema['properties']]?: FieldJudge } = {},
): (input: unknown) => Static<Schema> {
  const required = new Set<string>((schema as { required?: string[] }).required ?? []);
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => ({
    name,
    isUri: (field as { format?: string }).format === 'uri',
    judge: (judges as Record<string, FieldJudge>)[name] ?? judgeOf(name, field, required.has(name)),
  }));

  return (input) => {
    const given = asRecord(input);
    const refusals: Refusal[] = [];
    const faults: FieldFault[] = [];
    const values: Record<string, unknown> = {};
    for (const { name, isUri, judge } of fields) {
      const raw = Object.hasOwn(given, name) ? given[name] : undefined;
      const value = raw === null || raw === '' ? undefined : raw;
      const refusal = judge(value, given);
      if (refusal) {
        refusals.push(refusal);
        faults.push({ field: name, message: refusal.message });
      } else if (value !== undefined) values[name] = isUri ? uriOf(value as string) : value;
    }
    const first = refusals[0];
    if (first) throw new Refusal(first.row, first.message, faults.length > 1 ? faults : undefined);
    return values as Static<Schema>;
  };
}

function judgeOf(name: string, schema: TSchema, required: boolean): FieldJudge {
  const check = Compile(schema);
  return (value) => {
    if (value === undefined) return required ? invalid(name, 'is required') : null;
    if (check.Check(value)) return null;
    const [fault] = check.Errors(value);
    const path = fault?.instancePath.replaceAll('/', '.') ?? '';
    return invalid(name + path, whyOf(fault));
  };
}

/** `customer_email is invalid: must be an e-mail address`. */
export function invalid(field: string, why: string): Refusal {
  return refuse(kitErrors.field_invalid, { field, why });
}

function whyOf(fault: { keyword: string; params: object; message: string } | undefined): string {
  if (!fault) return 'has the wrong form';
  const params = fault.params as { format?: string; allowedValues?: unknown[] };
  if (fault.keyword === 'format') return formats[params.format ?? '']?.why ?? fault.message;
  if (fault.keyword === 'enum') return `must be one of ${params.allowedValues?.join(', ')}`;
  return fault.message;
}

function asRecord(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : {};
}

/**
 * Judges an address that a customer's browser is sent to by its schema, and refuses one with a user or a password; it
 * may be absent. `why`: a further fault of it, or null.
 */
export function returnAddressJudge(
  field: string,
  schema: TSchema,
  why: (address: string) => string | null = () => null,
): FieldJudge {
  const judge = judgeOf(field, schema, false);
  return (value, input) => {
    const refusal = judge(value, input);
    if (refusal || value === undefined) return refusal;
    const address = value as string;
    const fault = hasCredentials(address) ? 'must not carry credentials' : why(address);
    return fault === null ? null : invalid(field, fault);
  };
}

/** Reads a query string by a schema whose numbers arrive as text. */
export function queryReader<Schema extends TObject>(
  schema: Schema,
  judges: { [Field in keyof Schema['properties']]?: FieldJudge } = {},
): (input: unknown) => Static<Schema> {
  const read = fieldReader(schema, judges);
  const properties = schema.properties as Record<string, { type?: string }>;
  return (input) => {
    const given = { ...asRecord(input) };
    for (const [name, { type }] of Object.entries(properties)) {
      const text = given[name];
      if (type === 'integer' && typeof text === 'string' && /^-?\d{1,15}$/.test(text)) {
        given[name] = Number.parseInt(text, 10);
      }
    }
    return read(given);
  };
}
