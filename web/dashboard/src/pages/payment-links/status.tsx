import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/display/badge.tsx';
import type { LinkData } from './queries.ts';

const looks: Record<LinkData['status'], { tone: Tone; word: string }> = {
  active: { tone: 'paid', word: t('Active') },
  used: { tone: 'quiet', word: t('Used') },
  expired: { tone: 'waiting', word: t('Expired') },
  stopped: { tone: 'lost', word: t('Stopped') },
};

export function LinkStatus({ status }: Pick<LinkData, 'status'>): ReactNode {
  const { tone, word } = looks[status];
  return <Badge tone={tone}>{word}</Badge>;
}
