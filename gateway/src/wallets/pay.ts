import type { Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { type Balance, balancesOf, type Party } from '../ledger/ledger.ts';
import { type Assets, fineScale } from '../money/assets.ts';
import { rescale } from '../money/money.ts';
import { linkPayment } from '../payments/act.ts';
import { paymentErrors } from '../payments/errors.ts';
import { recordFor } from '../payments/observe.ts';
import type { Payment } from '../payments/payment.ts';
import { missingUnits, sendableUnits, transfersOf } from '../payments/received.ts';
import type { StateDeps } from '../payments/state.ts';
import type { UserId } from './users.ts';

/**
 * Pays what a payment still misses out of a user's wallet of the same mode: the money, the settlement and
 * the event in one transaction. Several networks' balances of the currency are used where one is too small,
 * the default network's first. Throws `insufficient_balance`, or `not_possible` in a status that takes none.
 */
export async function payFromWallet(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  userId: UserId,
): Promise<Payment> {
  const now = deps.now();
  const payment = await linkPayment(tx, deps, paymentId, 'wallet');
  // The deadline had passed: the worker will end the payment, when its rails were read.
  if (payment.status !== 'linked' || now >= payment.deadline)
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  const balances = await balancesOf(tx, { kind: 'user', owner: userId, mode: payment.mode });
  const missing = missingUnits(deps.assets, payment, await transfersOf(tx, payment.id));
  const reports = partsOf(deps.assets, payment, balances, missing).map((part) => {
    const id = newId(now);
    const transfer = { rail: 'wallet', key: id, paymentId, transaction: id, confirmations: 1, needed: 1 };
    const source: Party = { kind: 'user', owner: userId };
    return { seen: { ...transfer, ...part, state: 'final' as const }, at: now, source };
  });
  return await recordFor(tx, deps, payment, reports);
}

function partsOf(assets: Assets, payment: Payment, balances: Balance[], missing: bigint) {
  const preferred = assets.defaultOf(payment.currency).code;
  const usable = balances.filter(
    ({ asset, available }) => assets.find(asset)?.currency === payment.currency && available > 0n,
  );
  const inOrder = [
    ...usable.filter(({ asset }) => asset === preferred),
    ...usable.filter(({ asset }) => asset !== preferred),
  ];
  const parts: { asset: string; units: bigint }[] = [];
  let left = missing;
  for (const { asset, available } of inOrder) {
    const { scale } = assets.get(asset);
    const needed = sendableUnits(left, scale);
    const units = needed < available ? needed : available;
    if (units > 0n) parts.push({ asset, units });
    left -= rescale(units, scale, fineScale);
    if (left <= 0n) return parts;
  }
  throw refuse(ledgerErrors.insufficient_balance);
}
