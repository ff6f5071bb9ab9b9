import type { MessagesOf, TranslateOf } from '../../checkout/messages/translate.ts';
import type { en } from './en.ts';

/** All texts of the wallet's pages in one language. */
export type WalletMessages = MessagesOf<typeof en>;
export type Say = TranslateOf<typeof en>;
