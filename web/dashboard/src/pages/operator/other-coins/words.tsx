import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { OtherCoin } from './queries.ts';

export function OtherCoinState({ state }: Pick<OtherCoin, 'state'>): ReactNode {
  return state === 'open' ? (
    <Badge tone="waiting">{t('Not recovered')}</Badge>
  ) : (
    <Badge tone="paid">{t('Recovered')}</Badge>
  );
}
