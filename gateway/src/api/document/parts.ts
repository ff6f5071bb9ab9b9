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
