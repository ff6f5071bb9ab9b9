import type { Locale } from '../checkout/locale.ts';
import { translator } from '../checkout/messages/translate.ts';
import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en } from './messages/en.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import { id } from './messages/id.ts';
import { vi } from './messages/vi.ts';
import type { Say, WalletMessages } from './messages/words.ts';
import { zh } from './messages/zh.ts';

export const WALLET_MESSAGES: Record<Locale, WalletMessages> = { en, de, es, fr, ar, zh, id, vi };

/** The wallet's own words in a language; those that it shares with the hosted page are the hosted page's. */
export function sayIn(locale: Locale): Say {
  return translator<typeof en>(locale, WALLET_MESSAGES[locale]);
}
