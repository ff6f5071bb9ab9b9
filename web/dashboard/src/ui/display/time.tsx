import type { ReactNode } from 'react';
import { useNow } from '../../format/now.ts';
import { exactText, relativeText } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import { Tooltip } from '../button/tooltip.tsx';

export type TimeProps = {
  /** ISO, or null where there is no time yet. */
  at: string | null;
  /** The exact time in full rather than how long ago. */
  exact?: boolean;
  /** Inside a link or button, where nothing else may take the focus. */
  still?: boolean;
};

/** A time: how long ago, with the exact one while it is hovered or focused, in the zone that the person chose. */
export function Time({ at, exact = false, still = false }: TimeProps): ReactNode {
  const now = useNow();
  const zone = useZone();
  if (at === null) return <span className="text-quiet">–</span>;
  const date = new Date(at);
  const exactly = exactText(date, zone);
  if (exact || still) {
    return (
      <time dateTime={at} title={exact ? undefined : exactly} className="whitespace-nowrap tabular-nums">
        {exact ? exactly : relativeText(date, now, zone)}
      </time>
    );
  }
  return (
    <Tooltip text={exactly}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <time dateTime={at} tabIndex={0} className="relative z-1 whitespace-nowrap tabular-nums">
        {relativeText(date, now, zone)}
      </time>
    </Tooltip>
  );
}
