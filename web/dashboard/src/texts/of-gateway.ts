import { fill } from './fill.ts';
import { language } from './language.ts';
import type { Language } from './languages.ts';

type Texts = Record<string, string>;

const load: Partial<Record<Language, () => Promise<{ default: Texts }>>> = {
  de: () => import('./gateway/de.json'),
  es: () => import('./gateway/es.json'),
  fr: () => import('./gateway/fr.json'),
  zh: () => import('./gateway/zh.json'),
};

let texts: Texts = {};
let patterns: Pattern[] = [];
let loading: Promise<void> | undefined;

/** Loads what `ofGateway` says. The dashboard does so at its start, the sign-in page when a call is refused. */
export function loadOfGateway(): Promise<void> {
  loading ??= readTexts().catch(() => {
    // Texts stay English, and are asked for again.
    loading = undefined;
  });
  return loading;
}

async function readTexts(): Promise<void> {
  texts = (await load[language]?.())?.default ?? {};
  patterns = patternsOf(texts);
}

/** A text that the gateway sent, such as a refusal, a role or an act, in the language of the page; one that is not known stays English. */
export function ofGateway(text: string): string {
  return textIn(texts, patterns, text);
}

type Pattern = { pattern: RegExp; translated: string };

/** How each text looks whose placeholders are filled in; the longest first, as it says most. */
export function patternsOf(texts: Texts): Pattern[] {
  return Object.entries(texts)
    .filter(([english]) => /\{\w+\}/.test(english))
    .sort(([a], [b]) => b.length - a.length)
    .map(([english, translated]) => ({ pattern: patternOf(english), translated }));
}

function patternOf(english: string): RegExp {
  const literal = english.replace(/[.*+?^$|()[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's');
}

/** `ofGateway` with the texts of any language. */
export function textIn(texts: Texts, patterns: readonly Pattern[], text: string): string {
  const whole = texts[text];
  if (whole !== undefined) return whole;
  for (const { pattern, translated } of patterns) {
    const values = pattern.exec(text)?.groups;
    if (values) {
      const inside = Object.entries(values).map(([name, value]) => [name, textIn(texts, patterns, value)]);
      return fill<string>(translated, Object.fromEntries(inside)).join('');
    }
  }
  return text;
}
