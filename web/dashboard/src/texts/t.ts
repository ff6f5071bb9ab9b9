import { fill, type Plural, type ValuesOf } from './fill.ts';
import { language } from './language.ts';
import type { Language } from './languages.ts';

type Texts = Record<string, string | Plural>;

const load: Partial<Record<Language, () => Promise<{ default: Texts }>>> = {
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
  zh: () => import('./zh.json'),
};

// Awaited here, so that every module has its texts when it starts, those of constants too.
const texts = (await load[language]?.())?.default ?? {};
const rules = new Intl.PluralRules(language);

/** A text of the dashboard in its language; `{name}` in it stands for the value of that name. English is the key and the fallback. */
export function t<const Text extends string>(
  english: Text,
  ...[values]: ValuesOf<Text, string | number>
): string {
  return fill(translated(english), values ?? {}).join('');
}

/** The text with `{count}` in the form of its number. The last form is the key. */
export function counted<const Text extends string>(
  count: number,
  one: string,
  other: Text,
  ...[values]: ValuesOf<Text, string | number, 'count'>
): string {
  const forms = texts[other] ?? { one, other };
  const text = typeof forms === 'string' ? forms : (forms[rules.select(count)] ?? forms.other);
  return fill(text, { count, ...values }).join('');
}

/** The text in the language of the page, with its placeholders. */
export function translated(english: string): string {
  const text = texts[english] ?? english;
  return typeof text === 'string' ? text : text.other;
}
