import { CircleCheck, CirclePause, CircleX, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../../ui/display/badge.tsx';
import type { DeliveryStatus } from '../types/delivery.ts';

const looks: Record<DeliveryStatus, { word: string; tone: Tone; icon: LucideIcon }> = {
  pending: { word: 'Waiting', tone: 'waiting', icon: Clock },
  held: { word: 'Held', tone: 'quiet', icon: CirclePause },
  delivered: { word: 'Delivered', tone: 'paid', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'lost', icon: CircleX },
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
