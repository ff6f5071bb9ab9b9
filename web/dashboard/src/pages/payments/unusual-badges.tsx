import type { ReactNode } from 'react';
import { Badge } from '../../ui/display/badge.tsx';
import { type Unusual, unusualWords } from './search.ts';

/** Marks of what a person should look at. */
export function UnusualBadges({ unusual }: { unusual: readonly Unusual[] }): ReactNode {
  return unusual.map((each) => (
    <Badge key={each} tone="accent">
      {unusualWords[each]}
    </Badge>
  ));
}
