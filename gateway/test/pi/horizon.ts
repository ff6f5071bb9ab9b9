import type { LedgerCore } from '../horizon/core/core.ts';
import { type HorizonOptions, startHorizon } from '../horizon/horizon.ts';
import type { Fault, FaultMatch } from '../horizon/server/faults.ts';
import { piOf } from './driver.ts';
import type { Answered, HorizonFault } from './steps.ts';

const faults: Record<Exclude<HorizonFault, 'behind'>, Fault & FaultMatch> = {
  'gateway timeout': { kind: 'timeout' },
  'taken all the same': { kind: 'timeout', applies: true },
  'rate limited': { kind: 'rate_limited', retryAfterSeconds: 20 },
  broken: { kind: 'error' },
  truncated: { kind: 'truncated' },
  empty: { kind: 'empty' },
  html: { kind: 'html' },
  reset: { kind: 'reset' },
  'reset after': { kind: 'lost' },
  'leaves out': {
    ...{ kind: 'omits', path: /^\/accounts\/\w+\/(payments|operations)\?/ },
    isLeftOut: (_, place) => place % 2 === 0,
  },
  'wrong balance': { kind: 'rewrite', path: /^\/accounts\/\w+$/, rewrite: withMore },
};
const paths: Record<Answered, RegExp> = {
  anything: /^/,
  payments: /\/payments/,
  effects: /\/effects/,
  transactions: /\/transactions/,
};
const ledgersBehind = 3;

/** An account that says it has a little more of everything than it has. */
function withMore(body: unknown): unknown {
  const { balances, ...account } = body as { balances?: { balance: string }[] };
  if (!balances) return body;
  const more = ({ balance, ...of }: { balance: string }) => ({
    ...of,
    balance: piOf(unitsIn(balance) + surplus),
  });
  return { ...account, balances: balances.map(more) };
}

/** No payment is of so much. */
const surplus = 12_345_678n;

const unitsIn = (decimal: string): bigint => BigInt(decimal.replace('.', ''));

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
      else horizon.faults.add({ path: paths[of], ...faults[fault], times });
    },
    mend(): void {
      horizon.faults.clear();
      horizon.lagLedgers = 0;
    },
  };
}
