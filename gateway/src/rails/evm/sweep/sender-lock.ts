import type { LeaseTerms } from '../../../kit/db/lease.ts';

/** Longer than one step of a round takes. */
const seconds = 120;

/** The sender lock of a chain: its holder gives out nonces and sends. `holder`: a UUID. */
export const senderLock = (chainId: number, holder: string): LeaseTerms => ({
  name: `evm sender ${chainId}`,
  holder,
  seconds,
});
