import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { oldestAsOf } from '../../api/as-of.ts';
import { clockText } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import { t } from '../../texts/t.ts';

/** As of when the page is, where anything on it comes from a standby of the database and is older than a moment. */
export function AsOf(): ReactNode {
  const cache = useQueryClient().getQueryCache();
  const zone = useZone();
  const at = useSyncExternalStore(
    (listener) => cache.subscribe(notifyManager.batchCalls(listener)),
    () => oldestShown(cache),
  );
  if (at === null) return null;
  return (
    <p className="text-sm text-quiet">
      <time dateTime={at}>{t('As of {time}', { time: clockText(new Date(at), zone) })}</time>
    </p>
  );
}

function oldestShown(cache: QueryCache): string | null {
  return oldestAsOf(cache.findAll({ type: 'active' }).map(({ state }) => state.data));
}
