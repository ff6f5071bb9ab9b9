import type { MessagesOf } from '../translate.ts';
import type { linkEn } from './en.ts';

/** The texts of the page of a payment link in one language. */
export type LinkMessages = MessagesOf<typeof linkEn>;
