import { CircleCheck, CirclePause, CircleX, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge, type Tone } from '../../../ui/display/badge.tsx';
import type { DeliveryStatus } from '../types/delivery.ts';

const looks: Record<DeliveryStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  pending: { word: t('Waiting'), tone: 'waiting', icon: Clock },
  held: { word: t('Held'), tone: 'quiet', icon: CirclePause },
  delivered: { word: t('Delivered'), tone: 'paid', icon: CircleCheck },
  failed: { word: t('Failed'), tone: 'lost', icon: CircleX },
};

export function deliveryWord(status: DeliveryStatus): string {
  return looks[status].word;
}

export function DeliveryBadge({ status }: { status: DeliveryStatus }): ReactNode {
  const { word, tone, icon } = looks[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
