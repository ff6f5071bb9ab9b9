import { Ban, CircleCheck, CircleX, Clock, Hourglass, type LucideIcon, Send, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/display/badge.tsx';
import type { PayoutStatus } from './queries.ts';

const looks: Record<PayoutStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  awaiting_approval: { word: t('Awaiting approval'), tone: 'waiting', icon: UserCheck },
  queued: { word: t('Queued'), tone: 'quiet', icon: Clock },
  sending: { word: t('Sending'), tone: 'waiting', icon: Send },
  completed: { word: t('Completed'), tone: 'paid', icon: CircleCheck },
  cancelled: { word: t('Cancelled'), tone: 'quiet', icon: Ban },
  rejected: { word: t('Rejected'), tone: 'lost', icon: CircleX },
  failed: { word: t('Failed'), tone: 'lost', icon: CircleX },
};

/** The status of a payout; one that something holds up says so. */
export function PayoutBadge({ status, isHeldUp }: { status: PayoutStatus; isHeldUp: boolean }): ReactNode {
  if (status === 'queued' && isHeldUp) {
    return (
      <Badge tone="waiting" icon={Hourglass}>
        {t('Held up')}
      </Badge>
    );
  }
  const { word, tone, icon } = looks[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

/** The choices of a filter by status. */
export const statusChoices = Object.entries(looks).map(([value, { word }]) => ({ value, label: word }));
