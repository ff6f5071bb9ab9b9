import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { carryOn } from './carry-on.ts';
import { type PayOutcome, payRemotely, type RemotePayer, type RemotePaymentDeps } from './pay.ts';

/** Paying out of wallets in another system. */
export type RemotePayments = Slice<Console> & {
  /** Throws as `payRemotely` does. */
  pay(paymentId: string, payer: RemotePayer): Promise<PayOutcome>;
};

export function createRemotePayments(deps: RemotePaymentDeps): RemotePayments {
  return {
    pay: (paymentId, payer) => payRemotely(deps, paymentId, payer),
    loops: [{ name: 'wallet payments', everyMs: 1_000, work: () => carryOn(deps) }],
  };
}
