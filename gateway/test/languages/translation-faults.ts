import type { Plural } from '../../src/checkout/messages/translate.ts';

type Texts = Readonly<Record<string, string | Plural>>;

/** A short label may have this many characters in every language. */
const shortest = 36;
/** How much longer a text may be than its English one; page and buttons are drawn for this. */
const longest = 2;

// The forms that `many` has in these languages begin at a million.
const fewMany = ['ca', 'es', 'fr', 'it', 'pt'];

/** What is wrong with the texts of one language: keys, placeholders, plural forms, length. */
export function translationFaults(locale: string, texts: Texts, english: Texts): string[] {
  const missing = Object.keys(english).filter((key) => !Object.hasOwn(texts, key));
  const faults = Object.entries(texts).flatMap(([key, text]) => {
    const original = english[key];
    if (original === undefined) return [`${key} is no text of the pages`];
    if (typeof text !== typeof original) return [`${key} has plural forms in one language only`];
    return typeof text === 'string'
      ? textFaults(text, original).map((fault) => `${key} ${fault}`)
      : pluralFaults(locale, text, original).map((fault) => `${key} ${fault}`);
  });
  return [...missing.map((key) => `${key} is missing`), ...faults];
}

const otherOf = (text: string | Plural): string => (typeof text === 'string' ? text : text.other);

function pluralFaults(locale: string, text: Plural, original: string | Plural): string[] {
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  const needed = categories.filter((category) => category !== 'many' || !fewMany.includes(locale)).sort();
  const given = Object.keys(text).sort();
  if (given.join() !== needed.join()) return [`has the forms ${given.join()} in place of ${needed.join()}`];
  return Object.entries(text).flatMap(([form, each]) =>
    textFaults(each, original, standsForOneNumber(locale, form)).map((fault) => `in ${form} ${fault}`),
  );
}

// "One payment" may leave the number out; a form that 1 and 21 share may not.
function standsForOneNumber(locale: string, form: string): boolean {
  const rules = new Intl.PluralRules(locale);
  return (
    Array.from({ length: 200 }, (_, number) => rules.select(number)).filter((each) => each === form)
      .length === 1
  );
}

function textFaults(text: string, original: string | Plural, withoutNumber = false): string[] {
  const forms = typeof original === 'string' ? [original] : Object.values(original);
  const needed = placeholders(otherOf(original));
  const given = placeholders(text);
  const fits =
    given === needed ||
    (withoutNumber && (placeholders(`${text}{count}`) === needed || given === placeholders(forms[0] ?? '')));
  return [
    ...(text === '' || text.trim() !== text ? ['is empty or has blanks at its ends'] : []),
    ...(fits ? [] : [`has the placeholders ${given} in place of ${needed}`]),
    ...lengthFaults(text, Math.max(...forms.map(({ length }) => length))),
  ];
}

const lengthFaults = (text: string, length: number): string[] =>
  text.length > Math.max(shortest, longest * length)
    ? [`has ${text.length} characters, and ${length} in English`]
    : [];

const placeholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();
