import { choiceParam, given, type RawSearch, textParam } from '../../api/search.ts';

export type PaymentLinksSearch = ReturnType<typeof readPaymentLinksSearch>;

/** Reads what the address of the list says: its page, and what is open: the form, or a link by its id. */
export function readPaymentLinksSearch(raw: RawSearch) {
  return given({
    cursor: textParam(raw.cursor),
    make: choiceParam(raw.make, ['link'] as const),
    open: textParam(raw.open, 36),
  });
}
