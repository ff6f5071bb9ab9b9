import type { Mode } from '../identity/integration.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { isCleanText } from '../kit/http/fields.ts';
import type { Payment } from '../payments/payment/payment.ts';
import type { StateDeps } from '../payments/payment/state.ts';
import { linkPayment } from '../payments/settlement/act.ts';
import { lockPayment } from '../payments/settlement/locks.ts';
import { missingUnits, sendableUnits, transfersOf } from '../payments/settlement/received.ts';

/** How much is still to be paid, in units of the chosen asset, and until when. */
export type Payable = { units: bigint; until: Date };

/**
 * Locks a payment of the asset's mode before its customer pays with it, and links it to the asset. Returns what is missing;
 * null when nothing may be paid any more: the payment has ended, its deadline has passed, or the full amount was seen.
 */
export async function openToPay(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  asset: string,
): Promise<Payable | null> {
  const locked = await lockPayment(tx, paymentId);
  const { currency, scale } = deps.assets.get(asset);
  if (locked.mode !== deps.assets.modeOf(asset) || locked.currency !== currency) return null;
  const payment = await linkTo(tx, deps, locked, asset);
  if (!isOpen(payment) || deps.now() >= payment.deadline) return null;
  const missing = missingUnits(deps.assets, payment, await transfersOf(tx, paymentId));
  return missing > 0n ? { units: sendableUnits(missing, scale), until: payment.deadline } : null;
}

const isOpen = ({ status }: Payment): boolean =>
  status === 'unlinked' || status === 'linked' || status === 'pending';

/** Links an open payment to the asset. A pending payment keeps its method, because money has already come by it. */
async function linkTo(tx: Tx, deps: StateDeps, payment: Payment, asset: string): Promise<Payment> {
  const isChosen = payment.status === 'linked' && payment.method === asset;
  if (!isOpen(payment) || payment.status === 'pending' || isChosen) return payment;
  return await linkPayment(tx, deps, payment.id, asset);
}

/** Whether a payment of a mode with this reference exists. `reference` may be any text. */
export async function hasReference(reader: Reader, mode: Mode, reference: string): Promise<boolean> {
  if (!isCleanText(reference)) return false;
  const any = 'SELECT FROM payments WHERE reference = $1 AND mode = $2 LIMIT 1';
  const { rowCount } = await reader.query(any, [reference, mode]);
  return rowCount === 1;
}
