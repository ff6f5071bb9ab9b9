import { escapeHtml, type Html } from '../../kit/http/html.ts';
import type { en } from './en.ts';

/** A message whose form depends on a number, by the categories of the language's plural rules. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** All texts of the hosted page in one language. A missing key or a wrong kind fails the type check. */
export type Messages = { readonly [K in keyof typeof en]: (typeof en)[K] extends string ? string : Plural };

/** A translated sentence: as plain text for titles and attributes, as markup for the page. */
export type Sentence = Html & { readonly text: string };

type Source<K extends keyof Messages> = (typeof en)[K] extends string
  ? (typeof en)[K]
  : (typeof en)[K] extends { other: infer Other }
    ? Other
    : never;
type Placeholder<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;
type Values<K extends keyof Messages> = [Placeholder<Source<K>>] extends [never]
  ? []
  : [values: Record<Placeholder<Source<K>>, string | number>];

/** Looks up a message and fills in its placeholders. The compiler checks that all of them are given. */
export type Translate = <K extends keyof Messages>(key: K, ...values: Values<K>) => Sentence;

/**
 * Makes the translator of one language. The form of a plural message depends on its `count`. In markup every
 * value is wrapped in `<bdi>`, so that an amount or a Latin name keeps its order inside Arabic text.
 */
export function translator(locale: string, messages: Messages): Translate {
  const rules = new Intl.PluralRules(locale);
  return (key, ...[values]) => {
    const filled: Record<string, string | number> = values ?? {};
    const message: string | Plural = messages[key];
    const template = typeof message === 'string' ? message : choose(message, rules, filled.count);
    return {
      text: fill(template, filled, (value) => value),
      markup: fill(escapeHtml(template), filled, (value) => `<bdi>${escapeHtml(value)}</bdi>`),
    };
  };
}

function choose(message: Plural, rules: Intl.PluralRules, count: string | number | undefined): string {
  return (typeof count === 'number' && message[rules.select(count)]) || message.other;
}

function fill(
  template: string,
  values: Record<string, string | number>,
  show: (value: string) => string,
): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : show(String(value));
  });
}
