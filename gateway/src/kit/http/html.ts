/** Markup that is safe to send. Only {@link html} and {@link trusted} make it. */
export type Html = { readonly markup: string };

/** What a template may contain: text is escaped, markup is kept, absent values are left out, lists are joined. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/**
 * Template tag that escapes every interpolated value unless it is already {@link Html}.
 * Attribute values must be in double quotes; addresses are passed through {@link safeUrl} first.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) markup += render(value) + (parts[index + 1] ?? '');
  return { markup };
}

/** The writing direction of a language, for the `dir` attribute. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return new Intl.Locale(locale).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
}

/** Marks markup written in this code base as safe. Never for text from a merchant or a customer. */
export function trusted(markup: string): Html {
  return { markup };
}

/**
 * The address when it may be used in a link, else null: only absolute http and https addresses, so that no
 * `javascript:` or `data:` from a merchant becomes a link.
 */
export function safeUrl(address: string | null): URL | null {
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (isList(value)) return value.map(render).join('');
  return value.markup;
}

function isList(value: Html | readonly HtmlValue[]): value is readonly HtmlValue[] {
  return Array.isArray(value);
}
