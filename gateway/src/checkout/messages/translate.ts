import { escapeHtml, type Html } from '../../kit/http/html.ts';
import type { en } from './en.ts';

/** A message whose form depends on a number, by the categories of the language's plural rules. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** All texts of pages in one language, as English has them. A missing key or a wrong kind fails the type check. */
export type MessagesOf<Source> = { readonly [K in keyof Source]: Source[K] extends string ? string : Plural };
/** A translated sentence: as plain text for titles and attributes, as markup for the page. */
export type Sentence = Html & { readonly text: string };

type TextOf<Message> = Message extends string
  ? Message
  : Message extends { other: infer Other }
    ? Other
    : never;
type Placeholder<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;
type Values<Message> = [Placeholder<TextOf<Message>>] extends [never]
  ? []
  : [values: Record<Placeholder<TextOf<Message>>, Value>];

/** What fills a placeholder; a sentence has markup of its own. */
type Value = string | number | Sentence;

/** Looks up a message and fills in its placeholders. The compiler checks that all of them are given. */
export type TranslateOf<Source> = <K extends keyof Source & string>(
  key: K,
  ...values: Values<Source[K]>
) => Sentence;
export type Translate = TranslateOf<typeof en>;

/**
 * Makes the translator of one language. The form of a plural message depends on its `count`. In markup every
 * value is wrapped in `<bdi>`, so that an amount or a Latin name keeps its order inside Arabic text.
 */
export function translator<Source = typeof en>(
  locale: string,
  messages: MessagesOf<Source>,
): TranslateOf<Source> {
  const rules = new Intl.PluralRules(locale);
  return (key, ...[values]) => {
    const filled: Record<string, Value> = values ?? {};
    const message = messages[key] as string | Plural;
    const template = typeof message === 'string' ? message : choose(message, rules, filled.count);
    return {
      text: fill(template, filled, textOf),
      markup: fill(escapeHtml(template), filled, (value) => `<bdi>${markupOf(value)}</bdi>`),
    };
  };
}

const textOf = (value: Value): string => (typeof value === 'object' ? value.text : `${value}`);
const markupOf = (value: Value): string =>
  typeof value === 'object' ? value.markup : escapeHtml(`${value}`);

function choose(message: Plural, rules: Intl.PluralRules, count: Value | undefined): string {
  return (typeof count === 'number' && message[rules.select(count)]) || message.other;
}

function fill(template: string, values: Record<string, Value>, show: (value: Value) => string): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : show(value);
  });
}
