const hidden = '[redacted]';

/** Only such texts can hold a secret. Most texts are searched once with this and stay as they are. */
const suspicious = /secret|passw|authorization|api[_-]?key|whsec_|sk_(?:test|live)_|[?&]token=|\\u00/i;
const key = /(sk_(?:test|live)_|whsec_)(?:[\w+=/-]|\\\/)*/gi;
/** The token of a payment's page: who has it can act as the customer. */
const pageToken = /([?&]token=)[\w%-]+/gi;
/** A field's name that means its value is secret, up to where the value begins. */
const secretName =
  /(?:secret|passw(?:or)?d|authorization|api[_-]?key)[\w .-]{0,40}\\*["']?\s{0,20}[:=]\s{0,20}/gi;
const escaped = /\\+u00([2-7][0-9a-f])/gi;

/**
 * The text without API keys, webhook secrets, tokens of payment pages and the values of fields with names like secret or
 * password. It may be JSON, broken JSON or the beginning of either: a secret that was cut in the middle is hidden too.
 */
export function redact(text: string): string {
  if (!suspicious.test(text)) return text;
  const plain = text.replace(escaped, letterOf);
  return withoutNamed(plain).replace(key, `$1${hidden}`).replace(pageToken, `$1${hidden}`);
}

/** Decodes escapes such as `\u0073ecret`. Quotes and backslashes stay escaped: they would end the text. */
function letterOf(sequence: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return character === '"' || character === '\\' || character === "'" ? sequence : character;
}

function withoutNamed(text: string): string {
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(secretName)) {
    const start = match.index + match[0].length;
    // The name is inside a value that is hidden already.
    if (match.index < from) continue;
    // The backslashes before its quotes show how deep in nested JSON the name is.
    const slashes = /\\*(?=["'])/.exec(match[0])?.[0] ?? '';
    const end = endOfValue(text, start, slashes.length);
    kept += text.slice(from, start) + (end > start ? `${slashes}"${hidden}${slashes}"` : '');
    from = end;
  }
  return kept + text.slice(from);
}

/** Where the value that begins at `start` ends: a string in quotes, an object, a list, or a bare word. */
function endOfValue(text: string, start: number, backslashes: number): number {
  const first = text[start];
  if (first === '{' || first === '[') return endOfNested(text, start, backslashes);
  const opening = /^\\*["']/.exec(text.slice(start, start + 16))?.[0];
  if (opening) return endOfString(text, start + opening.length, opening.slice(-1), opening.length - 1);
  const rest = text.slice(start).search(/[\s,&}\]"']/);
  return rest === -1 ? text.length : start + rest;
}

/** Quotes in nested JSON have backslashes before them, by its depth: 1, 3, 7. */
function endOfString(text: string, from: number, quote: string, backslashes: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let before = 0;
    while (at - before > from && text[at - before - 1] === '\\') before += 1;
    if (before % (2 * (backslashes + 1)) === backslashes) return at + 1;
  }
  return text.length;
}

function endOfNested(text: string, start: number, backslashes: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at + 1, '"', backslashes) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
