import { after } from '../../../kit/clock.ts';
import type { PayoutDeps } from './deps.ts';
import { noteWaiting, ordersDue } from './orders.ts';
import { clearSenderFault } from './sender-state.ts';

const ordersAtMost = 500;
const waitSeconds = 300;

/** The fault of an order that only the vault's admin can pay. */
export const needsHand = 'The vault has no signer: an operator exports it, and its admin pays it';

/** A round of a vault without a signer: it notes on queued orders that they wait for an operator. */
export async function awaitHand({ db, chain, vault, now }: PayoutDeps): Promise<void> {
  const orders = await ordersDue(db, { chainId: chain.id, vault: vault.address }, now(), ordersAtMost);
  const ids = orders.map(({ id }) => id);
  await noteWaiting(db, { ids, why: needsHand, retryAt: after(now(), waitSeconds) });
  await clearSenderFault(db, chain.id);
}
