/** A receiver's library: it parses a body, and writes it as JSON again in its own way. */
type Writer = { name: string; write: (event: Record<string, unknown>) => string };

const sorted = (event: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)));

const inAscii = (json: string): string =>
  json.replaceAll(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `{"a": 1, "b": 2}`; numbers by `number`. */
function spaced(event: Record<string, unknown>, number: (value: number) => string): string {
  const members = Object.entries(event).map(([name, value]) => {
    const text = typeof value === 'number' ? number(value) : inAscii(JSON.stringify(value));
    return `"${name}": ${text}`;
  });
  return `{${members.join(', ')}}`;
}

/** As Python writes a float: `1e-07`, `25.5`. */
const floatOfPython = (value: number): string => `${value}`.replace(/e([+-])(\d)$/, 'e$10$2');

/** As Go writes the text of a map: it escapes what could end a script. */
const forScripts = (json: string): string =>
  json
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

/** Each changes bytes, and nothing of the event. */
export const reserialised: readonly Writer[] = [
  { name: "Python's json", write: (event) => spaced(event, floatOfPython) },
  { name: "PHP's json_encode", write: (event) => inAscii(JSON.stringify(event)).replaceAll('/', '\\/') },
  { name: 'a map of Go', write: (event) => forScripts(JSON.stringify(sorted(event))) },
  { name: 'a parser of floats', write: (event) => spaced(event, (value) => value.toExponential()) },
  { name: 'a pretty printer', write: (event) => JSON.stringify(event, null, 2) },
];
