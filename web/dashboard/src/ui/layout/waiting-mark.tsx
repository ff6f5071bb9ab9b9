import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';

export type WaitingMarkProps = {
  /** How many things wait for a person; no mark for none. */
  count: number | undefined;
  countedUpTo?: number;
};

/** How much waits behind a link or a tab. */
export function WaitingMark({ count = 0, countedUpTo = 100 }: WaitingMarkProps): ReactNode {
  if (count === 0) return null;
  return (
    <span className="shrink-0 rounded-full bg-waiting-soft px-2 text-sm font-semibold text-waiting tabular-nums">
      {count < countedUpTo ? count : `${countedUpTo}+`}
      <span className="sr-only"> {t('waiting')}</span>
    </span>
  );
}
