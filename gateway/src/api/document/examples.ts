import { readFileSync } from 'node:fs';

/** A call as it was made of a gateway in test mode, and what came back. */
export type Example = {
  /** The values of the path's parameters. */
  path: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  answer: Record<string, unknown>;
};

/** Written by `EXAMPLES=1 npm test -- api/examples`, which makes every call of a gateway. */
export const examplesFile = new URL('./examples.json', import.meta.url);

let examples: Record<string, Example> | undefined;

/** The example of a call such as `PUT /payment/create`. */
export function exampleOf(call: string): Example | undefined {
  examples ??= JSON.parse(readFileSync(examplesFile, 'utf8')) as Record<string, Example>;
  return examples[call];
}

const secret = `whsec_${Buffer.from('no secret, but an example of one').toString('base64')}`;

/** An example as it is shown: long lists have their first two items, and addresses and secrets are made-up ones. */
export function shownExample(example: Example, places: Record<string, string>): Example {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const moved = Object.entries(places).reduce((text, [from, to]) => text.replaceAll(from, to), value);
      return moved.replace(/^whsec_.+/, secret);
    }
    if (Array.isArray(value)) return value.slice(0, 2).map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)]));
  };
  return shown(example) as Example;
}
