import { Ban, CircleCheck, CircleDashed, CircleX, Clock, Link2, type LucideIcon, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PaymentStatus } from '../../../../../gateway/src/payments/api/console-answers/payments.ts';
import { t } from '../../texts/t.ts';
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
  unlinked: { word: t('Unlinked'), tone: 'quiet', icon: CircleDashed },
  linked: { word: t('Linked'), tone: 'quiet', icon: Link2 },
  pending: { word: t('Pending'), tone: 'waiting', icon: Clock },
  completed: { word: t('Completed'), tone: 'paid', icon: CircleCheck },
  failed: { word: t('Failed'), tone: 'lost', icon: CircleX },
  cancelled: { word: t('Cancelled'), tone: 'quiet', icon: Ban },
  'in-appeal': { word: t('In appeal'), tone: 'waiting', icon: Scale },
};

const meanings: Partial<Record<PaymentStatus, string>> = {
  unlinked: t('waiting for the customer'),
  linked: t('waiting for the money'),
  pending: t('waiting for confirmations'),
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
