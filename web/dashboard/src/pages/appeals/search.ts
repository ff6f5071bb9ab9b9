import type { AppealReason } from '../../../../../gateway/src/payments/api/console-answers/appeals.ts';
import { choiceParam, given, type RawSearch, textParam } from '../../api/search.ts';

export type { AppealReason };

export const appealReasons = [
  'part_paid',
  'late',
  'paid_after_end',
  'disputed',
  'reorg',
] as const satisfies readonly AppealReason[];
const appealStatuses = ['open', 'closed'] as const;

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
