import type { ReactNode } from 'react';
import { assetName } from '../../format/amount.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { type Changed, type HeldItem, useHeld } from './queries.ts';

/** What stops with a change of a member; nothing where that is nothing. */
export function WhatStops({ changed }: { changed: Changed }): ReactNode {
  const held = useHeld(changed);
  if (held.isError) return <ErrorState error={held.error} onRetry={() => void held.refetch()} />;
  const items = held.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Banner tone="waiting" title={t('This stops with it')}>
      <ul className="grid list-disc gap-1 ps-5">
        {items.map((item) => (
          <li key={`${item.kind} ${item.mode} ${item.detail} ${item.name}`}>{wordsOf(item)}</li>
        ))}
      </ul>
    </Banner>
  );
}

function wordsOf({ kind, integration, mode, name, detail }: HeldItem): string {
  const schedule = { integration, mode: ofGateway(mode), asset: assetName(detail), label: name ?? '' };
  return kind === 'schedule'
    ? t('The schedule of {integration} ({mode}) that pays {asset} to {label} pays nothing.', schedule)
    : t('Payouts of {asset} to {label}, a schedule of {integration} ({mode}), may need approval.', schedule);
}
