import type { LeaseTerms } from '../../../kit/db/lease.ts';
import type { Place } from './order.ts';

/** Longer than one step takes, of which submitting is the longest. */
const seconds = 120;

/** The sender lock of an account: its holder signs and submits the transactions. `holder`: a UUID. */
export const senderLock = ({ passphrase, account }: Place, holder: string): LeaseTerms => ({
  name: `pi sender ${account} ${passphrase}`,
  holder,
  seconds,
});
