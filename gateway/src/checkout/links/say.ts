import type { Locale } from '../locale.ts';
import { linkAr } from '../messages/link/ar.ts';
import { linkDe } from '../messages/link/de.ts';
import { linkEn } from '../messages/link/en.ts';
import { linkEs } from '../messages/link/es.ts';
import { linkFr } from '../messages/link/fr.ts';
import { linkId } from '../messages/link/id.ts';
import { linkVi } from '../messages/link/vi.ts';
import type { LinkMessages } from '../messages/link/words.ts';
import { linkZh } from '../messages/link/zh.ts';
import { type TranslateOf, translator } from '../messages/translate.ts';

export const LINK_MESSAGES: Record<Locale, LinkMessages> = {
  ...{ en: linkEn, de: linkDe, es: linkEs, fr: linkFr },
  ...{ ar: linkAr, zh: linkZh, id: linkId, vi: linkVi },
};

export type SayOfLink = TranslateOf<typeof linkEn>;

/** The own words of the page of a payment link; those that it shares with the hosted page are the hosted page's. */
export function sayOfLink(locale: Locale): SayOfLink {
  return translator<typeof linkEn>(locale, LINK_MESSAGES[locale]);
}
