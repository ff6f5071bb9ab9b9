import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Format } from 'typebox/format';
import { type FieldFault, kitErrors, Refusal, refuse } from '../errors.ts';
import { hasCredentials, parseWebAddress, uriOf } from '../web-address.ts';

type FieldFormat = {
  check: (text: string) => boolean;
  why: string;
  /** A common mistake, which `why` does not explain. */
  but?: { when: (text: string) => boolean; why: string };
};

/** Why a field with this format was refused; the names are the `format` in the OpenAPI document. */
const formats: Record<string, FieldFormat> = {
  text: { check: isCleanText, why: 'must be valid Unicode without NUL' },
  line: { check: isLine, why: 'must be one line of text' },
  email: {
    check: (text) => isCleanText(text) && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text),
    why: 'must be an e-mail address',
  },
  uri: {
    check: (text) => webUrlOf(text) !== null,
    why: 'must be an absolute http or https URL',
    but: {
      when: (text) => /\s/.test(text),
      why: 'must not contain a blank (in a path it is written %20)',
    },
  },
  'date-time': {
    check: isTime,
    why: 'must be an ISO 8601 time',
    but: {
      // In a query an unencoded + is a blank.
      when: (text) => isTime(text.replace(/ (?=\d\d:\d\d$)/, '+')),
      why: 'must be an ISO 8601 time: write the + before its offset as %2B',
    },
  },
};
for (const [name, { check }] of Object.entries(formats)) Format.Set(name, check);

/** True for text that the database can hold: valid Unicode without NUL. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** True for clean text of one line that is not blank. */
// A line break could add lines to a mail, and marks of direction would reverse the text after them.
export function isLine(text: string): boolean {
  return isCleanText(text) && /\S/.test(text) && !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(text);
}

/** A name that people give something: one line, and not blank. */
export const nameField = (maxLength: number) => Type.String({ format: 'line', minLength: 1, maxLength });

function webUrlOf(text: string): URL | null {
  return isCleanText(text) && !/[\s\\]/.test(text) ? parseWebAddress(text) : null;
}

/** Why a text was refused that is not in this format. */
function whyNot(format: string, text: string): string {
  const known = formats[format];
  if (!known) return 'has the wrong form';
  return known.but?.when(text) ? known.but.why : known.why;
}

/** A time of a bare date: its first instant, in UTC. PostgreSQL would take the time zone of its server. */
const timeOf = (text: string, clock = '00:00:00'): string =>
  text.includes('T') ? text : `${text}T${clock}Z`;

/** Reads the end of a time range, in a field that may be absent. A bare date means the whole day, in UTC. */
export function endParser(field: string): FieldParser<string | undefined> {
  const judge = judgeOf(field, Type.String({ format: 'date-time' }), false);
  return (value, input) =>
    value === undefined ? undefined : (judge(value, input) ?? timeOf(value as string, '24:00:00'));
}

const timePattern = /^(?!0000)\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-](?:0\d|1[0-4]):\d\d))?$/;

// Only what PostgreSQL accepts; Date.parse also reads texts that are not ISO 8601.
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

type Input = Readonly<Record<string, unknown>>;
/** Checks one field: the refusal in its own words, or null where the value is good. */
export type FieldJudge = (value: unknown, input: Input) => Refusal | null;
type Judges<Schema extends TObject> = { [Field in keyof Schema['properties']]?: FieldJudge };

/** Parses one field: the refusal in its own words, or the value that the reader returns in place of the one sent. */
export type FieldParser<Value = unknown> = (value: unknown, input: Input) => Value | Refusal;
type Parsers<Schema extends TObject> = { [Field in keyof Schema['properties']]?: FieldParser };

type Parsed<Parser> = Parser extends FieldParser<infer Value> ? Exclude<Value, Refusal> : never;
/** The names of the parsers that may return undefined: their fields are optional. */
type OptionalOf<By> = { [Name in keyof By]: undefined extends Parsed<By[Name]> ? Name : never }[keyof By];
/** What a reader returns: the fields of its schema, and the results of its parsers. */
export type Fields<Schema extends TObject, By> = [keyof By] extends [never]
  ? Static<Schema>
  : Omit<Static<Schema>, keyof By> & { [Name in Exclude<keyof By, OptionalOf<By>>]: Parsed<By[Name]> } & {
      [Name in OptionalOf<By>]?: Exclude<Parsed<By[Name]>, undefined>;
    };

/** Strict reading: the refusals of fields that are `''` or null, by name; every unknown field is refused too. */
export type Strict = { empty: Readonly<Record<string, () => Refusal>> };

/**
 * Makes a reader of untrusted objects. Fields are checked in the schema's order; null and '' mean absent, and unknown
 * fields are left out, except where it is `strict`. A field with its own judge or parser is checked by that alone. Web
 * addresses are returned as URIs, however they were written, and bare dates as the time at which they begin in UTC.
 * Throws the first fault, with all of them in `details` when there are several (contract.md#answers).
 */
export function fieldReader<Schema extends TObject, By extends Parsers<Schema> = object>(
  schema: Schema,
  judges: Judges<Schema> = {},
  parsers?: By & Parsers<Schema>,
  strict?: Strict,
): (input: unknown) => Fields<Schema, By> {
  const required = new Set<string>((schema as { required?: string[] }).required ?? []);
  const parserOf = (name: string, field: TSchema): FieldParser =>
    (parsers as Record<string, FieldParser> | undefined)?.[name] ??
    asSent((judges as Record<string, FieldJudge>)[name] ?? judgeOf(name, field, required.has(name)), field);
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => ({
    name,
    parse: parserOf(name, field),
  }));

  return (input) => {
    const given = asRecord(input);
    const refusals: Refusal[] = [];
    const faults: FieldFault[] = [];
    const values: Record<string, unknown> = {};
    for (const { name, parse } of fields) {
      const raw = Object.hasOwn(given, name) ? given[name] : undefined;
      const isEmpty = raw === null || raw === '';
      const value = (isEmpty && strict?.empty[name]?.()) || parse(isEmpty ? undefined : raw, given);
      if (value instanceof Refusal) {
        refusals.push(value);
        faults.push({ field: name, message: value.message });
      } else if (value !== undefined) values[name] = value;
    }
    for (const fault of strict ? unknownFields(schema, input) : []) {
      refusals.push(invalid(fault.field, unknownField));
      faults.push(fault);
    }
    const first = refusals[0];
    if (first)
      throw new Refusal(first.row, first.message, {
        details: faults.length > 1 ? faults : undefined,
        faults,
      });
    return values as Fields<Schema, By>;
  };
}

const unknownField = 'unknown field';
const mostUnknown = 20;
const longestName = 100;

/** The fields of an object that a schema does not have, as faults; of very many only some. */
export function unknownFields({ properties }: TObject, input: unknown): FieldFault[] {
  const unknown = Object.keys(asRecord(input)).filter((name) => !Object.hasOwn(properties, name));
  return unknown.slice(0, mostUnknown).map((name) => {
    const field = isLine(name) && name.length <= longestName ? name : 'body';
    return { field, message: invalid(field, unknownField).message };
  });
}

function asSent(judge: FieldJudge, field: TSchema): FieldParser {
  const written = writtenAs[(field as { format?: string }).format ?? ''];
  return (value, input) =>
    judge(value, input) ?? (written && value !== undefined ? written(value as string) : value);
}

/** How values of a format are returned. */
const writtenAs: Record<string, (text: string) => string> = {
  uri: (text) => uriOf(text),
  'date-time': (text) => timeOf(text),
};

function judgeOf(name: string, schema: TSchema, required: boolean): FieldJudge {
  // Compiled on first use: a process does not use most of its readers.
  let made: ReturnType<typeof Compile> | undefined;
  return (value) => {
    if (value === undefined) return required ? invalid(name, 'is required') : null;
    made ??= Compile(schema);
    const check = made;
    if (check.Check(value)) return null;
    const [fault] = check.Errors(value);
    const path = fault?.instancePath.replaceAll('/', '.') ?? '';
    return invalid(name + path, faultText(fault, value));
  };
}

/** `customer_email is invalid: must be an e-mail address`. */
export function invalid(field: string, why: string): Refusal {
  return refuse(kitErrors.field_invalid, { field, why });
}

/** The text at a path of a value, such as `/items/0/url`. */
function textAt(value: unknown, path: string): string {
  const keys = path.split('/').slice(1);
  return String(keys.reduce((at, key) => (at as Record<string, unknown>)[key], value));
}

type SchemaFault = { keyword: string; instancePath: string; params: object; message: string };

function faultText(fault: SchemaFault | undefined, value: unknown): string {
  if (!fault) return 'has the wrong form';
  const params = fault.params as { format?: string; allowedValues?: unknown[] };
  if (fault.keyword === 'format') return whyNot(params.format ?? '', textAt(value, fault.instancePath));
  if (fault.keyword === 'enum') return `must be one of ${params.allowedValues?.join(', ')}`;
  return fault.message;
}

function asRecord(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : {};
}

/** An address that a customer's browser is sent to: as a URI, and parsed. */
export type ReturnAddress = { uri: string; url: URL };

/**
 * Reads an address that a customer's browser is sent to, and refuses one with a user or a password; it may be absent.
 */
export function returnAddressParser(
  field: string,
  maxLength: number,
): FieldParser<ReturnAddress | undefined> {
  const judge = judgeOf(field, Type.String({ maxLength }), false);
  return (value, input) => {
    if (value === undefined) return undefined;
    const refusal = judge(value, input);
    if (refusal) return refusal;
    const address = value as string;
    const url = webUrlOf(address);
    if (url === null) return invalid(field, whyNot('uri', address));
    return hasCredentials(url)
      ? invalid(field, 'must not carry credentials')
      : { uri: uriOf(address, url), url };
  };
}

/** Reads a query string by a schema whose numbers arrive as text. */
export function queryReader<Schema extends TObject, By extends Parsers<Schema> = object>(
  schema: Schema,
  judges: Judges<Schema> = {},
  parsers?: By & Parsers<Schema>,
): (input: unknown) => Fields<Schema, By> {
  const read = fieldReader(schema, judges, parsers);
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
