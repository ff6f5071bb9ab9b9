import type { LeaseTerms } from '../../../kit/db/lease.ts';

/** After a process was killed, another one continues within this time and one interval of its own. */
const seconds = 15;

/** The sender lock of a chain: its holder gives out nonces and sends. `holder`: a UUID. */
export const senderLock = (chainId: number, holder: string): LeaseTerms => ({
  name: `evm sender ${chainId}`,
  holder,
  seconds,
});
