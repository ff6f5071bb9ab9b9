import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge, type Tone } from '../../../ui/display/badge.tsx';
import type { UnmatchedState } from './queries.ts';

const decisions: Record<UnmatchedState, { tone: Tone; words: string }> = {
  open: { tone: 'waiting', words: t('To be decided') },
  assigned: { tone: 'paid', words: t('Assigned') },
  returning: { tone: 'waiting', words: t('Being sent back') },
  returned: { tone: 'quiet', words: t('Sent back') },
  own: { tone: 'quiet', words: t('Your own') },
};

export function DecisionBadge({ state }: { state: UnmatchedState }): ReactNode {
  const { tone, words } = decisions[state];
  return <Badge tone={tone}>{words}</Badge>;
}

/** A memo as it was written. Its characters of text direction affect nothing outside it. */
export function Memo({ memo }: { memo: string | null }): ReactNode {
  return memo === null || memo === '' ? (
    <span className="text-quiet">{t('no memo')}</span>
  ) : (
    <bdi className="font-mono wrap-anywhere">{memo}</bdi>
  );
}
