import { Ban, CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Approval } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/display/badge.tsx';

const looks: Record<Approval, { word: string; tone: Tone; icon: LucideIcon }> = {
  none: { word: t('Not live'), tone: 'quiet', icon: CircleDashed },
  requested: { word: t('Waiting for approval'), tone: 'waiting', icon: Clock },
  approved: { word: t('Live'), tone: 'paid', icon: CircleCheck },
  rejected: { word: t('Rejected'), tone: 'lost', icon: CircleX },
  suspended: { word: t('Suspended'), tone: 'lost', icon: Ban },
};

/** How far an integration is on its way to live mode. */
export function ApprovalBadge({ approval }: { approval: Approval }): ReactNode {
  const { word, tone, icon } = looks[approval];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
