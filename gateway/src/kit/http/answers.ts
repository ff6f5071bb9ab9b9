import { type TSchema, Type } from 'typebox';

/** What a schema is called in the API's document and in the SDK, and what is said of it there. */
export type Name = { name: string; doc: string };

/** The option of a schema that has a name. Its `description` is another thing: what is said of the place where it stands. */
export const named = (name: string, doc: string): { 'x-named': Name } => ({ 'x-named': { name, doc } });

const Refused = Type.Object(
  {
    message: Type.String(),
    data: Type.Null(),
    code: Type.Integer(),
    error: Type.String({ description: 'The stable name of the error.' }),
    request_id: Type.String(),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          index: Type.Optional(Type.Integer({ description: 'Which one of a batch.' })),
          field: Type.String(),
          message: Type.String(),
        }),
        {
          description: 'Every wrong field, when there are several.',
        },
      ),
    ),
  },
  named('Refusal', 'The body of every refused request.'),
);

/** The answers of a call, for the API's document: its data in the envelope, or a refusal. */
export function answers(data: TSchema): Record<string, TSchema> {
  return { 200: Type.Object({ message: Type.String(), data }), '4xx': Refused, '5xx': Refused };
}

/** One page of a list. */
export const pageSchema = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), next_cursor: orNull(Type.String()) });

export const Id = Type.String({ format: 'uuid' });
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
export const Decimal = Type.String({ description: 'A plain decimal number as a string.' });
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The answer of a call without data. */
export const Nothing = Type.Null();

/** What a handler may return where a schema declares `T`: JSON writes a Date as a text. */
export type Sent<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { [Field in keyof T]: Sent<T[Field]> }
      : T;
