import type { Schema } from '../../gateway/src/api/document/document.ts';

/** A type of the API, before a language writes it. `decimal` may be sent as a text or a number; `nothing` is null. */
export type Type =
  | { kind: 'text' | 'integer' | 'number' | 'decimal' | 'boolean' | 'nothing' }
  | { kind: 'choice'; values: string[] }
  | { kind: 'model'; name: string }
  | { kind: 'list' | 'page' | 'nullable' | 'oneOrList'; of: Type };

/** A field; `zeroCounts` where 0 means something else than leaving it out. */
export type Field = { name: string; doc: string; type: Type; isRequired: boolean; zeroCounts: boolean };

/** An object with fields, or a text that is one of several values. */
export type Model = { name: string; doc: string; group: string } & (
  | { fields: Field[] }
  | { values: string[] }
);

/** The names of objects that the document leaves without one, by the name that they would have here. */
const names: Readonly<Record<string, string>> = {
  PaymentInputItemList: 'ItemList',
  PaymentItemList: 'ItemList',
  PaymentSummaryItemList: 'ItemList',
  CreatedPaymentPaymentData: 'CreatedPaymentData',
  PayoutsTopUpAddressesListItem: 'TopUpAddress',
  PayoutsTopUpAddressesCreateAnswer: 'TopUpAddress',
  TestTopUpAnswer: 'TopUp',
  TestTopUpInput: 'TopUpInput',
  PaymentLinksUpdateInput: 'PaymentLinkChange',
  UsersGetAnswer: 'User',
  WebhookEndpointsRollSecretInput: 'RollSecretInput',
  WebhookEndpointsTestInput: 'TestEventInput',
  WebhookEndpointsTestAnswer: 'TestEvent',
  RatesListAnswer: 'RateList',
};

const commonplaces = ['A plain decimal number as a string.', 'ISO 8601, UTC.'];

/** `payment_links` and `paymentLinks` as `PaymentLinks`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[-_. ])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Where models are collected while types are read. */
export type Collector = { models: Map<string, Model>; group: string };

/** The type of a schema. Objects without a name become models: by `name`, or by that which `names` has for it. */
export function typeOf(schema: Schema, name: string, collector: Collector): Type {
  if (schema.$ref) return { kind: 'model', name: schema.$ref.split('/').at(-1) ?? '' };
  if (typeof schema.const === 'boolean') return { kind: 'boolean' };
  if (schema.const !== undefined) return { kind: 'choice', values: [`${schema.const}`] };
  if (schema.enum) return { kind: 'choice', values: schema.enum.map(String) };
  if (schema.anyOf) return unionOf(schema.anyOf, name, collector);
  switch (schema.type) {
    case 'array':
      return { kind: 'list', of: typeOf(schema.items ?? {}, name.replace(/s$/, ''), collector) };
    case 'object':
      return objectOf(schema, name, collector);
    case 'null':
      return { kind: 'nothing' };
    case 'string':
      return { kind: 'text' };
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: schema.type };
  }
  throw new Error(`No type is known for ${name}: ${JSON.stringify(schema)}`);
}

function unionOf(all: Schema[], name: string, collector: Collector): Type {
  const types = all.map((each) => typeOf(each, name, collector));
  const [first, second, ...more] = types.filter(({ kind }) => kind !== 'nothing');
  if (!first || more.length > 0) throw new Error(`No type is known for the union ${name}`);
  const isNullable = types.some(({ kind }) => kind === 'nothing');
  const type = second ? pairOf(first, second, name) : first;
  return isNullable ? { kind: 'nullable', of: type } : type;
}

function pairOf(first: Type, second: Type, name: string): Type {
  const kinds = [first.kind, second.kind].sort().join();
  if (kinds === 'number,text') return { kind: 'decimal' };
  if (second.kind === 'list') return { kind: 'oneOrList', of: first };
  throw new Error(`No type is known for the union ${name}`);
}

function objectOf(schema: Schema, name: string, collector: Collector): Type {
  const { properties = {} } = schema;
  if (Object.keys(properties).join() === 'items,next_cursor')
    return {
      kind: 'page',
      of: typeOf(properties.items?.items ?? {}, `${name.replace(/Answer$/, '')}Item`, collector),
    };
  const known = names[name] ?? name;
  const model = modelOf(schema, known, collector);
  const before = collector.models.get(known);
  if (!before) collector.models.set(known, model);
  else if (JSON.stringify(before) !== JSON.stringify({ ...model, group: before.group }))
    throw new Error(`Two objects would be named ${known}`);
  return { kind: 'model', name: known };
}

/** The model of a schema that is an object or an enum. */
export function modelOf(schema: Schema, name: string, collector: Collector): Model {
  const head = { name, doc: schema.description ?? '', group: collector.group };
  if (schema.enum) return { ...head, values: schema.enum.map(String) };
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([key, property]): Field => {
    const { description = '' } = property;
    return {
      name: key,
      doc: commonplaces.includes(description) ? '' : description,
      type: typeOf(property, name + pascal(key), collector),
      isRequired: required.includes(key),
      zeroCounts: property.type === 'integer' && Boolean(property.default) && !hasMinimumAbove0(property),
    };
  });
  return { ...head, fields };
}

const hasMinimumAbove0 = (schema: Schema): boolean => ((schema as { minimum?: number }).minimum ?? 0) > 0;
