/** How a language writes values: `{"a": 1}` as `{ a: 1 }` in TypeScript, `['a' => 1]` in PHP. */
type Style = {
  text(value: string): string;
  word: Record<'true' | 'false' | 'null', string>;
  list: [open: string, close: string];
  record: [open: string, close: string];
  /** What a record on one line has inside its braces. */
  space: string;
  /** A record without fields. */
  empty: string;
  field(name: string): string;
};

const single = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const words = { true: 'true', false: 'false', null: 'null' };

export const typescript: Style = {
  text: single,
  word: words,
  list: ['[', ']'],
  record: ['{', '}'],
  space: ' ',
  empty: '{}',
  field: (name) => `${/^\w+$/.test(name) ? name : single(name)}: `,
};

export const python: Style = {
  ...typescript,
  space: '',
  word: { true: 'True', false: 'False', null: 'None' },
  field: (name) => `${single(name)}: `,
};

export const php: Style = {
  ...typescript,
  space: '',
  record: ['[', ']'],
  empty: 'new stdClass()',
  field: (name) => `${single(name)} => `,
};

/** A JSON value in a language, short ones on one line, `indent` spaces in. */
export function literal(value: unknown, style: Style, indent = 0): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' || typeof value === 'bigint'
      ? `${value}`
      : style.word[`${value}` as 'true'];
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return isList ? style.list.join('') : style.empty;
  const [open, close] = isList ? style.list : style.record;
  const parts = (inside: number) =>
    entries.map(([name, each]) => (isList ? '' : style.field(name)) + literal(each, style, inside));
  const gap = isList ? '' : style.space;
  const line = `${open}${gap}${parts(indent).join(', ')}${gap}${close}`;
  if (line.length + indent <= 60 && !line.includes('\n')) return line;
  const space = ' '.repeat(indent + 2);
  return `${open}\n${parts(indent + 2)
    .map((part) => `${space}${part},\n`)
    .join('')}${' '.repeat(indent)}${close}`;
}
