import type { Operation, Schema } from './document.ts';

/** The schemas of a call's input and answer; a part is absent where there is none. */
export type Parts = { path: string[]; query?: Schema; body?: Schema; answer: Schema };

/** The parts of an operation without references; `answer` is the envelope's `data`. */
export function partsOf({ parameters = [], requestBody, responses }: Operation): Parts {
  const query = parameters.filter((each) => each.in === 'query');
  const properties = query.map(({ name, description, schema }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  const { data } = responses[200].content['application/json'].schema.properties ?? {};
  if (!data) throw new Error('An answer of the API has no schema of its data');
  const required = query.filter((each) => each.required).map(({ name }) => name);
  return {
    path: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    ...(query.length > 0
      ? { query: { type: 'object', properties: Object.fromEntries(properties), required } }
      : {}),
    ...(requestBody ? { body: requestBody.content['application/json'].schema } : {}),
    answer: data,
  };
}

/** The schema at a place such as `GET /payments answer.items[]`. Throws when there is none. */
export function schemaAt(calls: ReadonlyMap<string, Parts>, at: string): Schema {
  const [method, template, place] = at.split(' ') as [string, string, string];
  const [part, ...steps] = place.split('.') as ['query' | 'body' | 'answer', ...string[]];
  let schema = calls.get(`${method} ${template}`)?.[part];
  for (const step of steps) {
    schema = schema?.properties?.[step.replace(/\[\]$/, '')];
    if (step.endsWith('[]')) schema = schema?.items;
  }
  if (!schema)
    throw new Error(`The document has nothing at "${at}": correct gateway/src/api/document/names.ts`);
  return schema;
}
