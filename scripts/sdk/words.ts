/** `topUpAddresses` as `top_up_addresses`. */
export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `price_currency` as `priceCurrency`. */
export const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A text in lines of at most `width` characters where words allow, each behind `prefix`. None for an empty text. */
export function lines(text: string, prefix: string, width = 100): string[] {
  const found: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const last = found.at(-1);
    if (last !== undefined && last.length + word.length < width) found.splice(-1, 1, `${last} ${word}`);
    else found.push(`${prefix}${word}`);
  }
  return found;
}

/** A text as a sentence with its stop. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The first line of every file that is written. */
export const notice =
  "Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.";

/** `open`, the items and `close` on one line, or each item on its own where that is longer than 100 characters. */
export function spread(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= 100 || items.length === 0) return line;
  const indent = /^\s*/.exec(open)?.[0] ?? '';
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`;
}
