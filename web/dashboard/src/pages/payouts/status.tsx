import { Ban, CircleCheck, CircleX, Clock, Hourglass, type LucideIcon, Send, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/display/badge.tsx';
import type { PayoutStatus } from './queries.ts';

const looks: Record<PayoutStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  awaiting_approval: { word: 'Awaiting approval', tone: 'waiting', icon: UserCheck },
  queued: { word: 'Queued', tone: 'quiet', icon: Clock },
  sending: { word: 'Sending', tone: 'waiting', icon: Send },
  completed: { word: 'Completed', tone: 'paid', icon: CircleCheck },
  cancelled: { word: 'Cancelled', tone: 'quiet', icon: Ban },
  rejected: { word: 'Rejected', tone: 'lost', icon: CircleX },
  failed: { word: 'Failed', tone: 'lost', icon: CircleX },
};

/** The status of a payout; one that something holds up says so. */
export function PayoutBadge({ status, isHeldUp }: { status: PayoutStatus; isHeldUp: boolean }): ReactNode {
  if (status === 'queued' && isHeldUp) {
    return (
      <Badge tone="waiting" icon={Hourglass}>
        Held up
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
