import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/display/badge.tsx';

/** The colour of an answer's status. */
export function StatusCode({ status }: { status: number }): ReactNode {
  const tone: Tone = status < 400 ? 'paid' : status < 500 ? 'waiting' : 'lost';
  return <Badge tone={tone}>{status}</Badge>;
}
