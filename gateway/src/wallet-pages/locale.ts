import { join } from 'node:path';
import { type Locale, messageFiles } from '../checkout/locale.ts';
import { translator } from '../checkout/messages/translate.ts';
import { en } from './messages/en.ts';
import type { Say } from './messages/words.ts';

/** The wallet's own texts. Texts that both pages use are those of the hosted page. */
export const walletMessagesOf = messageFiles(join(import.meta.dirname, 'messages'), en);

export function sayIn(locale: Locale): Say {
  return translator<typeof en>(locale, walletMessagesOf(locale));
}
