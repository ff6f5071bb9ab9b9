import { Tornado as chaosIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Chaos } from '../types/chaos.ts';
import { activeKinds, chaosWords } from './chaos.ts';

/** What chaos is known by, wherever it shows. */
export { chaosIcon };

/** Says that an endpoint's deliveries go wrong on purpose; nothing where they do not. */
export function ChaosBadge({ chaos }: { chaos: Partial<Chaos> | null }): ReactNode {
  const kinds = activeKinds(chaos);
  if (kinds.length === 0) return null;
  return (
    <span title={kinds.map((kind) => `${chaosWords[kind].title}: ${chaos?.[kind]}%`).join('\n')}>
      <Badge tone="waiting" icon={chaosIcon}>
        {t('Chaos')}
      </Badge>
    </span>
  );
}
