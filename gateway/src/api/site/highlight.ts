import { escapeHtml } from '../../kit/http/html.ts';

/** What parts of code are coloured by. Where several could begin at one place, the first of this order does. */
const kinds = ['comment', 'text', 'name', 'keyword', 'value'] as const;

type Grammar = Partial<Record<(typeof kinds)[number], RegExp>>;

const words = (list: string): RegExp => new RegExp(String.raw`\b(?:${list.replaceAll(' ', '|')})\b`);
const anyOf = (...parts: RegExp[]): RegExp => new RegExp(parts.map(({ source }) => source).join('|'));
const called = /\b[\w]+(?=\()/;
const numbers = /\b\d[\d_.]*\b/;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const slashed = /\/\/.*|\/\*[\s\S]*?\*\//;

const script: Grammar = {
  comment: slashed,
  text: anyOf(quoted, /`(?:[^`\\]|\\.)*`/),
  name: called,
  keyword: words(
    'import from export default const let var function return async await for of in if else new try catch finally throw typeof type class while ' +
      'switch case break continue',
  ),
  value: anyOf(numbers, words('true false null undefined')),
};

const grammars: Readonly<Record<string, Grammar>> = {
  // Texts go on over lines, as the body of a request does.
  sh: {
    comment: /(?<=^|\s)#.*/,
    text: /'[^']*'|"(?:[^"\\]|\\[\s\S])*"/,
    name: /\$\{?\w+\}?|(?<=^|\s)--?[a-zA-Z][\w-]*|^[A-Z_]+(?==)/,
    keyword: /(?<=^\s*|[|&]\s*)(?:npm|npx|node|curl|florin|cast|go|php|python3|pip|git|export|mkdir|cp)\b/,
  },
  ts: script,
  json: {
    name: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/,
    text: quoted,
    value: /-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b/,
  },
  python: {
    comment: /#.*/,
    text: anyOf(/"""[\s\S]*?"""/, quoted),
    name: called,
    keyword: words(
      'import from def return class for in if elif else not and or is with as try except finally raise while lambda async await pass',
    ),
    value: anyOf(numbers, words('True False None')),
  },
  php: {
    comment: anyOf(slashed, /#.*/),
    text: quoted,
    name: anyOf(/\$\w+/, called),
    keyword: anyOf(
      /<\?php/,
      words(
        'use require require_once function fn return if else elseif foreach as new try catch throw class public static',
      ),
    ),
    value: anyOf(numbers, words('true false null')),
  },
  go: {
    comment: slashed,
    text: /"(?:[^"\\\n]|\\.)*"|`[^`]*`/,
    name: called,
    keyword: words(
      'package import func return if else for range var const type struct map chan go defer switch case default break continue interface',
    ),
    value: anyOf(numbers, words('true false nil')),
  },
  sql: { comment: /--.*/, text: /'[^']*'/, keyword: /\b[A-Z]{2,}\b/, value: numbers },
  ini: { comment: /^[#;].*/, name: /^[\w.]+(?==)/, keyword: /^\[.*\]$/ },
  yaml: { comment: /(?<=^|\s)#.*/, text: quoted, name: /^[\s-]*[\w.-]+(?=:)/, value: numbers },
  html: { comment: /<!--[\s\S]*?-->/, text: /"[^"]*"/, name: /\b[\w-]+(?==")/, keyword: /<\/?[\w-]+|\/?>/ },
};

/** What stands at a piece of code or at its tab, where it is not the name above. */
const otherNames: Readonly<Record<string, string>> = { bash: 'sh', curl: 'sh', js: 'ts', typescript: 'ts' };

const expressions = new Map<string, RegExp>();

function expressionOf(language: string): RegExp | undefined {
  const lower = language.toLowerCase();
  const name = otherNames[lower] ?? lower;
  const grammar = grammars[name];
  if (!grammar) return undefined;
  const parts = kinds.flatMap((kind) => (grammar[kind] ? [`(?<${kind}>${grammar[kind].source})`] : []));
  const known = expressions.get(name) ?? new RegExp(parts.join('|'), 'gm');
  expressions.set(name, known);
  return known;
}

/** Code as markup: its comments, texts, names, keywords and values have these classes. Code in an unknown language has none. */
export function highlighted(code: string, language: string): string {
  const expression = expressionOf(language);
  if (!expression) return escapeHtml(code);
  let end = 0;
  let markup = '';
  for (const { 0: part, index, groups = {} } of code.matchAll(expression)) {
    const kind = kinds.find((each) => groups[each] !== undefined);
    markup += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(part)}</span>`;
    end = index + part.length;
  }
  return markup + escapeHtml(code.slice(end));
}
