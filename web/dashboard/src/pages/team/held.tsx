import type { ReactNode } from 'react';
import { useMerchant } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { type HeldItem, type Member, type MemberRole, useHeld } from './queries.ts';

/** What stops when a member gets a role, or without one is removed; nothing where that is nothing. */
export function WhatStops({ member, role }: { member: Member; role?: MemberRole }): ReactNode {
  const held = useHeld(useMerchant().id, member.account_id, role);
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

function wordsOf({ kind, integration, mode, name, detail, actions }: HeldItem): string {
  const place = { integration, mode: ofGateway(mode) };
  if (kind === 'key') {
    const calls = actions.map((action) => ofGateway(action)).join(', ');
    return t('Key {name} of {integration} ({mode}) may no longer: {calls}. Roll it to go on.', {
      ...{ ...place, calls },
      name: name === null ? detail : `${name} ${detail}`,
    });
  }
  const schedule = { ...place, asset: assetName(detail), label: name ?? '' };
  return kind === 'schedule'
    ? t('The schedule of {integration} ({mode}) that pays {asset} to {label} pays nothing.', schedule)
    : t('Payouts of {asset} to {label}, a schedule of {integration} ({mode}), may need approval.', schedule);
}
