import type { Chaos } from '../../../../../../gateway/src/webhooks/answers/chaos-answers.ts';
import type { FaultKind } from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';

export type { Chaos, FaultKind };

/** What test mode can do to deliveries on purpose. */
export const faultKinds = [
  'duplicate',
  'reorder',
  'delay',
  'drop',
  'bad_signature',
  'stale_timestamp',
  'old_secret',
] as const satisfies readonly FaultKind[];
