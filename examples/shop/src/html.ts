/** Markup that may be sent as it is. Only `html` makes it, so text can never slip in unescaped. */
export type Html = { readonly markup: string };

/** What stands in a template: text is escaped, markup kept, lists joined, `false` and null leave nothing. */
type Hole = Html | Hole[] | string | number | false | null;

/** Template tag for markup; attribute values must be quoted. */
export function html(literals: TemplateStringsArray, ...holes: Hole[]): Html {
  return { markup: String.raw({ raw: literals }, ...holes.map(fill)) };
}

function fill(hole: Hole): string {
  if (hole === null || hole === false) return '';
  if (Array.isArray(hole)) return hole.map(fill).join('');
  if (typeof hole === 'object') return hole.markup;
  return String(hole).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
