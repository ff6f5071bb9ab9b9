import { BadgeCheck, Ban, CircleDashed, CirclePause, Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Approval } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';

const looks = {
  none: { tone: 'quiet', icon: CircleDashed, words: 'Test only' },
  requested: { tone: 'waiting', icon: Hourglass, words: 'Asked for' },
  approved: { tone: 'paid', icon: BadgeCheck, words: 'Live' },
  rejected: { tone: 'lost', icon: Ban, words: 'Rejected' },
  suspended: { tone: 'lost', icon: CirclePause, words: 'Suspended' },
} as const;

/** How an integration stands with live payments. */
export function ApprovalBadge({ approval }: { approval: Approval }): ReactNode {
  const { tone, icon, words } = looks[approval];
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}
