import type { LeaseTerms } from '../../../kit/db/lease.ts';
import type { Place } from './order.ts';

/** After a process was killed, another one continues within this time and one interval of its own. */
const seconds = 15;

/** The sender lock of an account: its holder signs and submits the transactions. `holder`: a UUID. */
export const senderLock = ({ passphrase, account }: Place, holder: string): LeaseTerms => ({
  name: `pi sender ${account} ${passphrase}`,
  holder,
  seconds,
});
