import type { Console } from '../identity/console/console.ts';
import type { Slice } from '../kit/slice.ts';
import { createStampMetrics } from './metrics.ts';
import { createStamper, type StamperDeps } from './stamper.ts';

const stampMs = 1_000;

/** The hash chain over the audit log and the ledger. */
export function createStamps(deps: StamperDeps): Slice<Console> {
  const stamper = createStamper(deps);
  return {
    loops: [{ name: 'stamps', everyMs: stampMs, work: stamper.run }],
    metrics: (registry) => createStampMetrics(registry, deps.db),
    close: stamper.close,
  };
}
