import type { LedgerCore } from './horizon/core/core.ts';
import { type HorizonOptions, startHorizon } from './horizon/horizon.ts';
import type { Fault } from './horizon/server/faults.ts';
import type { Answered, HorizonFault } from './pi-steps.ts';

const faults: Record<Exclude<HorizonFault, 'behind'>, Fault> = {
  'gateway timeout': { kind: 'timeout' },
  'taken all the same': { kind: 'timeout', applies: true },
  'rate limited': { kind: 'rate_limited', retryAfterSeconds: 20 },
  broken: { kind: 'error' },
  truncated: { kind: 'truncated' },
  empty: { kind: 'empty' },
  html: { kind: 'html' },
  reset: { kind: 'reset' },
  'reset after': { kind: 'lost' },
};
const paths: Record<Answered, RegExp> = {
  anything: /^/,
  payments: /\/payments/,
  effects: /\/effects/,
  transactions: /\/transactions/,
};
const ledgersBehind = 3;

export type BrittleHorizon = Awaited<ReturnType<typeof startBrittleHorizon>>;

/** A Horizon of a network that can be broken in the ways of a schedule, one after the other, until it is mended. */
export async function startBrittleHorizon(core: LedgerCore, options: HorizonOptions = {}) {
  const horizon = await startHorizon({ core, ...options });
  return {
    horizon,
    url: horizon.url,
    breaks(fault: HorizonFault, of: Answered, times: number): void {
      horizon.faults.cutStreams();
      if (fault === 'behind') horizon.lagLedgers = ledgersBehind;
      else horizon.faults.add({ ...faults[fault], times, path: paths[of] });
    },
    mend(): void {
      horizon.faults.clear();
      horizon.lagLedgers = 0;
    },
  };
}
