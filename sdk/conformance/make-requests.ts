import { exampleOf } from '../../gateway/src/api/document/examples.ts';
import { readApi } from '../../scripts/openapi.ts';
import { type Argument, apiOf, type Call } from '../../scripts/sdk/model.ts';
import { withTexts } from '../../scripts/sdk/samples.ts';
import type { RequestCase } from './cases.ts';

/** One case for each call of the API, from the example that a gateway gave. */
export async function requestCases(): Promise<RequestCase[]> {
  const { calls } = apiOf(await readApi());
  return calls.map(caseOf);
}

function caseOf(call: Call): RequestCase {
  const name = `${call.method} ${call.template}`;
  const example = exampleOf(name);
  if (!example) throw new Error(`${name} has no example`);
  const { path, query = {}, body } = example;
  const whole = { path, query, body: body ?? {} };
  const key = call.isWrite ? `key of ${call.verb}` : undefined;
  const hasBody = call.arguments.some(({ from }) => from.startsWith('body'));
  return {
    call: [...call.place, call.verb].join('.'),
    args: call.arguments.map((argument) => argumentOf(argument, call, whole)),
    ...(key !== undefined && { key }),
    ...(call.numbers.length > 0 && { numbers: call.numbers }),
    request: {
      method: call.method,
      path: call.template.replace(/\{(\w+)\}/g, (_, part: string) => path[part] ?? ''),
      query: Object.entries(query),
      key: key ?? false,
      body: hasBody ? whole.body : null,
    },
    answer: example.answer as RequestCase['answer'],
  };
}

type Whole = { path: Record<string, unknown>; query: Record<string, unknown>; body: Record<string, unknown> };

function argumentOf(
  { name, from, type }: Argument,
  { numbers }: Call,
  { path, query, body }: Whole,
): unknown {
  if (from === 'path') return path[name];
  if (from === 'body') return withTexts(body, numbers, '');
  if (from === 'bodyField') return body[name];
  const typed = Object.entries(query).map(([key, value]) => [
    key,
    key === 'limit' ? JSON.parse(`${value}`) : value,
  ]);
  return from === 'queryField' && type.kind === 'text' ? query[name] : Object.fromEntries(typed);
}
