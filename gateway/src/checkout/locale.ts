import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en } from './messages/en.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import { id } from './messages/id.ts';
import type { Messages } from './messages/translate.ts';
import { vi } from './messages/vi.ts';
import { zh } from './messages/zh.ts';

/** The languages of the hosted page, in the order of its language menu. */
export const LOCALES = ['en', 'de', 'es', 'fr', 'ar', 'zh', 'id', 'vi'] as const;
export type Locale = (typeof LOCALES)[number];

export const MESSAGES: Record<Locale, Messages> = { en, de, es, fr, ar, zh, id, vi };

/** The writing direction of a language, for the `dir` attribute. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr';
}

/**
 * Chooses the language of a page: the `lang` query parameter if it is one of ours, else the best match of the
 * Accept-Language header, else English.
 */
export function pickLocale(lang: string | undefined, acceptLanguage: string | undefined): Locale {
  return known(lang ?? '') ?? accepted(acceptLanguage ?? '') ?? 'en';
}

function accepted(header: string): Locale | undefined {
  return header
    .split(',')
    .map(parseRange)
    .filter((range) => range.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((range) => known(range.tag))
    .find((locale) => locale !== undefined);
}

function parseRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { tag, weight: quality === undefined ? 1 : +quality };
}

function known(tag: string): Locale | undefined {
  const primary = tag.toLowerCase().split('-')[0];
  return LOCALES.find((locale) => locale === primary);
}
