import type { ApiDescription, Operation, Schema } from '../../gateway/src/api/document/document.ts';
import { partsOf } from '../../gateway/src/api/document/parts.ts';
import { type Collector, type Model, modelOf, pascal, type Type, typeOf } from './schemas.ts';

/** An argument: a part of the path, the whole body or query, or a single field of one of them. */
export type Argument = {
  name: string;
  from: 'path' | 'body' | 'query' | 'bodyField' | 'queryField';
  type: Type;
  isOptional: boolean;
};

/** A call: `place` and `verb` are where the SDKs have it, such as `payouts.topUpAddresses` and `create`. */
export type Call = {
  method: string;
  template: string;
  place: string[];
  verb: string;
  summary: string;
  group: string;
  arguments: Argument[];
  answer: Type;
  isWrite: boolean;
  /** Whether a cursor leads through pages. */
  isPaged: boolean;
  /** The paths of the numbers in the body, such as `item_list.items[].price`. */
  numbers: string[];
};

/** What the SDKs of all languages are written from. `inputs` are the models that are sent, `answers` those that come. */
export type Api = { models: Model[]; calls: Call[]; inputs: Set<string>; answers: Set<string> };

/** The files of models and calls, by the tag of the document. */
const groups: Readonly<Record<string, string>> = {
  Payments: 'payments',
  Refunds: 'payments',
  'Payment links': 'payment_links',
  Wallets: 'balances',
  Balances: 'balances',
  Payouts: 'payouts',
  Keys: 'payouts',
  Rates: 'rates',
  Events: 'webhooks',
  'Webhook endpoints': 'webhooks',
  'Test mode': 'test_mode',
};

function groupOf(tag: string): string {
  const group = groups[tag];
  if (!group) throw new Error(`"${tag}" has no file in scripts/sdk/model.ts`);
  return group;
}

type Reader = { description: ApiDescription; models: Map<string, Model> };

/** Reads the models and calls out of the gateway's document. */
export function apiOf(description: ApiDescription): Api {
  const { document, types } = description;
  const reader: Reader = { description, models: new Map() };
  const tags = new Map(types.map(({ name, tag }) => [name, tag]));
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    // An SDK throws a refusal as its own error.
    if (name === 'Refusal') continue;
    const tag = tags.get(name);
    const collector = { models: reader.models, group: tag === undefined ? 'events' : groupOf(tag) };
    reader.models.set(name, modelOf(schema, name, collector));
  }
  const calls = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      callOf(reader, `${method.toUpperCase()} ${template}`, operation),
    ),
  );
  const given = calls.flatMap((call) => call.arguments.map(({ type }) => type));
  return {
    models: [...reader.models.values()],
    calls,
    inputs: namesIn(given, reader.models),
    answers: namesIn(
      calls.map(({ answer }) => answer),
      reader.models,
    ),
  };
}

function callOf(reader: Reader, name: string, operation: Operation): Call {
  const { models, description } = reader;
  const [method = '', template = ''] = name.split(' ');
  const written = description.sdkCalls[name] ?? '';
  const place = written.replace(/\(.*/, '').split('.');
  const verb = place.pop() ?? '';
  const group = groupOf(operation.tags[0] ?? '');
  const collector = { models, group };
  const called = pascal([...place, verb].join('.'));
  // Parameters by reference are headers.
  const parameters = (operation.parameters ?? []).filter((each) => each.name !== undefined);
  const { path, query, body, answer } = partsOf({ ...operation, parameters });
  const given = [
    ...path.map(
      (each): Argument => ({ name: each, from: 'path', type: { kind: 'text' }, isOptional: false }),
    ),
    ...(query ? [queryOf(reader, query, { collector, called, tag: operation.tags[0] ?? '' })] : []),
    ...(body ? [bodyOf(reader, body, { collector, called })] : []),
  ];
  return {
    ...{ method, template, place, verb, group, arguments: given },
    summary: operation.summary,
    answer: typeOf(answer, `${called}Answer`, collector),
    isWrite: method !== 'GET',
    isPaged: query?.properties?.cursor !== undefined,
    numbers: given.flatMap(({ from, type }) => (from === 'body' ? numbersOf(type, '', models) : [])),
  };
}

type Naming = { collector: Collector; called: string };

/** The single field of an object that has one, or the whole object. */
function singleField(
  schema: Schema,
  from: 'body' | 'query',
  { collector, called }: Naming,
): Argument | undefined {
  const [field, ...others] = Object.entries(schema.properties ?? {});
  if (!field || others.length > 0 || !schema.required?.includes(field[0])) return undefined;
  const [name, property] = field;
  return {
    name,
    from: `${from}Field`,
    type: typeOf(property, called + pascal(name), collector),
    isOptional: false,
  };
}

function bodyOf({ description, models }: Reader, schema: Schema, naming: Naming): Argument {
  // A change is given as an object, so that it can have more fields later.
  const single = naming.called.endsWith('Update') ? undefined : singleField(schema, 'body', naming);
  if (single) return single;
  const type = typeOf(schema, `${naming.called}Input`, naming.collector);
  const name = type.kind === 'model' ? type.name : '';
  const known = description.document.components.schemas[name] ?? schema;
  if (!models.has(name)) throw new Error(`The body of ${naming.called} is no object`);
  return { name: 'input', from: 'body', type, isOptional: (known.required ?? []).length === 0 };
}

/** A query of several parameters has the name of the object with the same fields: a filter, or the body of another call. */
function queryOf({ description, models }: Reader, query: Schema, naming: Naming & { tag: string }): Argument {
  const single = singleField(query, 'query', naming);
  if (single) return single;
  const keysOf = (schema: Schema) => Object.keys(schema.properties ?? {}).join();
  const found = description.types.find(
    ({ schema, tag }) => tag === naming.tag && keysOf(schema) === keysOf(query),
  );
  if (!found) throw new Error(`The query of ${naming.called} has no name`);
  if (!models.has(found.name))
    models.set(found.name, { ...modelOf(query, found.name, naming.collector), doc: found.doc });
  const isFilter = found.name.endsWith('Filter');
  return {
    name: isFilter ? 'filter' : 'input',
    from: 'query',
    type: { kind: 'model', name: found.name },
    isOptional: isFilter,
  };
}

/** The paths of the numbers in what is sent: an SDK takes them as texts, so that no float is between. */
function numbersOf(type: Type, path: string, models: Map<string, Model>): string[] {
  if (type.kind === 'number') return [path];
  if (type.kind === 'list') return numbersOf(type.of, `${path}[]`, models);
  if (type.kind === 'nullable' || type.kind === 'oneOrList') return numbersOf(type.of, path, models);
  const model = type.kind === 'model' ? models.get(type.name) : undefined;
  if (!model || !('fields' in model)) return [];
  return model.fields.flatMap(({ name, type: inner }) =>
    numbersOf(inner, path === '' ? name : `${path}.${name}`, models),
  );
}

/** The models of these types, with those in them. */
function namesIn(types: Type[], models: Map<string, Model>): Set<string> {
  const found = new Set<string>();
  const visit = (type: Type): void => {
    if ('of' in type) {
      visit(type.of);
      return;
    }
    const model = type.kind === 'model' ? models.get(type.name) : undefined;
    if (!model || found.has(model.name)) return;
    found.add(model.name);
    if ('fields' in model) for (const field of model.fields) visit(field.type);
  };
  for (const type of types) visit(type);
  return found;
}
