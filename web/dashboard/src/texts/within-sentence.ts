import { language } from './language.ts';

/** A label as it stands within a sentence: with a small letter, but in German, whose nouns keep theirs. */
export const withinSentence = (label: string): string =>
  language === 'de' ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
