import { choiceParam, dayParam, given, type RawSearch, textParam } from '../../api/search.ts';

export type BalancesSearch = ReturnType<typeof readBalancesSearch>;

const balancesTabs = ['lines', 'payouts', 'top-up', 'direct', 'statements'] as const;
export type BalancesTab = (typeof balancesTabs)[number];

/** Reads what the address of this page says. */
export function readBalancesSearch(raw: RawSearch) {
  return given({
    tab: choiceParam(raw.tab, balancesTabs),
    asset: textParam(raw.asset, 40),
    cause: textParam(raw.cause, 40),
    from: dayParam(raw.from),
    to: dayParam(raw.to),
    cursor: textParam(raw.cursor),
    status: textParam(raw.status, 40),
    /** A drawer, by its name, or a payout. */
    open: textParam(raw.open, 40),
  });
}
