import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { en } from './messages/en.ts';
import type { MessagesOf } from './messages/translate.ts';

/** The languages of the pages, by their own names, in the order of the language menu: Latin letters first. */
const NAMES = {
  en: 'English',
  az: 'Azərbaycanca',
  id: 'Bahasa Indonesia',
  ms: 'Bahasa Melayu',
  bs: 'Bosanski',
  ca: 'Català',
  cs: 'Čeština',
  da: 'Dansk',
  de: 'Deutsch',
  et: 'Eesti',
  es: 'Español',
  eu: 'Euskara',
  fr: 'Français',
  gl: 'Galego',
  hr: 'Hrvatski',
  is: 'Íslenska',
  it: 'Italiano',
  lv: 'Latviešu',
  lt: 'Lietuvių',
  hu: 'Magyar',
  nl: 'Nederlands',
  nb: 'Norsk bokmål',
  pl: 'Polski',
  pt: 'Português',
  ro: 'Română',
  sq: 'Shqip',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  fi: 'Suomi',
  sv: 'Svenska',
  vi: 'Tiếng Việt',
  tr: 'Türkçe',
  el: 'Ελληνικά',
  bg: 'Български',
  kk: 'Қазақша',
  mk: 'Македонски',
  ru: 'Русский',
  sr: 'Српски',
  uk: 'Українська',
  ka: 'ქართული',
  he: 'עברית',
  ar: 'العربية',
  fa: 'فارسی',
  ur: 'اردو',
  hi: 'हिन्दी',
  bn: 'বাংলা',
  th: 'ไทย',
  ja: '日本語',
  ko: '한국어',
  zh: '简体中文',
} as const;
export type Locale = keyof typeof NAMES;
export const LOCALES = Object.keys(NAMES) as Locale[];

/** Other tags that browsers send for these languages. */
const ALIASES = new Map<string, Locale>([
  ['iw', 'he'],
  ['in', 'id'],
]);

/** A language's name in itself. */
export function nameOf(locale: Locale): string {
  return NAMES[locale];
}

/** The language with this tag, such as `pt-BR`; undefined: the pages have no such language. */
export function localeOfTag(tag: string): Locale | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(NAMES, primary) ? (primary as Locale) : ALIASES.get(primary);
}

/**
 * Returns a function that reads the texts of a language from `{tag}.json` in a directory, when they are first needed.
 * English is in the code, where the compiler checks its keys and placeholders.
 */
export function messageFiles<English>(
  directory: string,
  english: English,
): (locale: Locale) => MessagesOf<English> {
  const read = new Map<Locale, MessagesOf<English>>([['en', english as MessagesOf<English>]]);
  return (locale) => {
    const known = read.get(locale);
    if (known) return known;
    const messages: MessagesOf<English> = JSON.parse(readFileSync(join(directory, `${locale}.json`), 'utf8'));
    read.set(locale, messages);
    return messages;
  };
}

/** The texts of the hosted page, of its receipt's mail and of the pages of payment links. */
export const messagesOf = messageFiles(join(import.meta.dirname, 'messages'), en);

/**
 * Chooses the language of a page: the `lang` query parameter if the pages have it, else the best match of the
 * Accept-Language header, else English.
 */
export function pickLocale(lang: string | undefined, acceptLanguage: string | undefined): Locale {
  return localeOfTag(lang ?? '') ?? accepted(acceptLanguage ?? '') ?? 'en';
}

function accepted(header: string): Locale | undefined {
  return header
    .split(',')
    .map(parseRange)
    .filter((range) => range.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((range) => localeOfTag(range.tag))
    .find((locale) => locale !== undefined);
}

function parseRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { tag, weight: quality === undefined ? 1 : +quality };
}
