import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/display/badge.tsx';
import type { LinkData } from './queries.ts';

const looks: Record<LinkData['status'], { tone: Tone; word: string }> = {
  active: { tone: 'paid', word: 'Active' },
  used: { tone: 'quiet', word: 'Used' },
  expired: { tone: 'waiting', word: 'Expired' },
  stopped: { tone: 'lost', word: 'Stopped' },
};

export function LinkStatus({ status }: Pick<LinkData, 'status'>): ReactNode {
  const { tone, word } = looks[status];
  return <Badge tone={tone}>{word}</Badge>;
}
