/** The words of a text in lower case. A name such as `payment_completed` or `createPayment` is its parts. */
export function wordsOf(text: string): string[] {
  const parted = text.replace(/([a-z])([A-Z])/g, '$1 $2');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What the English forms of a word have in common: `rolls`, `rolled` and `rolling` are one. Names with digits stay as they are. */
export function stemOf(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|z|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/ification$/, 'ify')
    .replace(/^(.{2,}[aeiouy].*|[aeiouy].{2,}|.[aeiouy].+)(?:ing|ed)$/, '$1')
    .replace(/([bdgmnprt])\1$|(el)l$/, '$1$2')
    .replace(/^(.{3,})ion$/, '$1')
    .replace(/^(.{3,})e$/, '$1')
    .replace(/^(.{4,})at$/, '$1')
    .replace(/^(.{3,})ment$/, '$1')
    .replace(/^(.{3,}[vw])al$/, '$1')
    .replace(/^(.{3,})e$/, '$1')
    .replace(/^(.+[^aeiou])y$/, '$1i');
}
