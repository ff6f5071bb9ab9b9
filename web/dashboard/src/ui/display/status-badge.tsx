import { Ban, CircleCheck, CircleDashed, CircleX, Clock, Link2, type LucideIcon, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PaymentStatus } from '../../../../../gateway/src/payments/api/console-answers/payments.ts';
import { Badge, type Tone } from './badge.tsx';

export type { PaymentStatus };

export const paymentStatuses = [
  'unlinked',
  'linked',
  'pending',
  'completed',
  'failed',
  'cancelled',
  'in-appeal',
] as const satisfies readonly PaymentStatus[];

const looks: Record<PaymentStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  unlinked: { word: 'Unlinked', tone: 'quiet', icon: CircleDashed },
  linked: { word: 'Linked', tone: 'quiet', icon: Link2 },
  pending: { word: 'Pending', tone: 'waiting', icon: Clock },
  completed: { word: 'Completed', tone: 'paid', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'lost', icon: CircleX },
  cancelled: { word: 'Cancelled', tone: 'quiet', icon: Ban },
  'in-appeal': { word: 'In appeal', tone: 'waiting', icon: Scale },
};

const meanings: Partial<Record<PaymentStatus, string>> = {
  unlinked: 'waiting for the customer',
  linked: 'waiting for the money',
  pending: 'waiting for confirmations',
};

/** What a status of a payment under way waits for, in plain words. */
export function statusMeaning(status: PaymentStatus): string | undefined {
  return meanings[status];
}

/** The name of a payment's status, as people read it. */
export function statusWord(status: PaymentStatus): string {
  return looks[status].word;
}

export function StatusBadge({ status }: { status: PaymentStatus }): ReactNode {
  const { word, tone, icon } = looks[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
