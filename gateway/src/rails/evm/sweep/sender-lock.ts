import type { LeaseTerms } from '../../../kit/db/lease.ts';

/** After a kill others go on within these, and a look of theirs. */
const seconds = 15;

/** The sender lock of a chain: its holder gives out nonces and sends. `holder`: a UUID. */
export const senderLock = (chainId: number, holder: string): LeaseTerms => ({
  name: `evm sender ${chainId}`,
  holder,
  seconds,
});
