import { choiceParam, given, type RawSearch, textParam } from '../../api/search.ts';

export const appealReasons = ['part_paid', 'late', 'paid_after_end', 'disputed', 'reorg'] as const;
export const appealStatuses = ['open', 'closed'] as const;

export type AppealReason = (typeof appealReasons)[number];
export type AppealsSearch = ReturnType<typeof readAppealsSearch>;

/** Reads what the address of this page says; `open` names the appeal whose detail is shown. */
export function readAppealsSearch(raw: RawSearch) {
  return given({
    status: choiceParam(raw.status, appealStatuses),
    reason: choiceParam(raw.reason, appealReasons),
    cursor: textParam(raw.cursor),
    open: textParam(raw.open),
  });
}
