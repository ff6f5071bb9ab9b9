import { getIntegration } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import { Refusal, refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { type Balance, balancesOf, type Party } from '../ledger/ledger.ts';
import { type Assets, fineScale } from '../money/assets.ts';
import { rescale } from '../money/money.ts';
import { paymentErrors } from '../payments/payment/errors.ts';
import { type ChargedPayment, chargedOf, type Payment } from '../payments/payment/payment.ts';
import type { StateDeps } from '../payments/payment/state.ts';
import { linkPayment } from '../payments/settlement/act.ts';
import { recordTransfers } from '../payments/settlement/observe.ts';
import { missingUnits, sendableUnits, transfersOf } from '../payments/settlement/received.ts';
import { walletErrors } from './errors.ts';
import { takeUse, type WalletUse } from './limits.ts';
import { recordNotices } from './notices.ts';
import { type ActingUser, hasSecondFactor, isProved } from './second-factor.ts';
import { lockUser } from './standing.ts';
import type { UserId } from './users.ts';

/**
 * Pays what a payment still misses out of the wallet of a user who gave no more than a password (contract.md#page). Throws
 * `pay_in_wallet` where that is not enough, or the wallet is frozen or above a limit, and else as `payInWallet`.
 */
export async function payFromWallet(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  userId: UserId,
): Promise<Payment> {
  try {
    const payment = await payInWallet(tx, deps, paymentId, { userId, proof: null });
    if (await hasSecondFactor(tx, userId)) throw refuse(walletErrors.second_factor_required);
    return payment;
  } catch (error) {
    const isWallets = error instanceof Refusal && leadsToWallet.has(error.row);
    throw isWallets ? refuse(walletErrors.pay_in_wallet) : error;
  }
}

const { wallet_frozen, wallet_limit, second_factor_required } = walletErrors;
const leadsToWallet = new Set([wallet_frozen, wallet_limit, second_factor_required]);

/**
 * Pays what a payment still misses out of a user's wallet of the same mode: the money, the settlement, what it takes of
 * limits, the event and the notice in one transaction. Several networks' balances of the currency are used where one is
 * too small, the default network's first. `proof`: that the user has just shown a second factor; null: none was shown,
 * which is enough for what the user's level may pay without. Throws `insufficient_balance`, `wallet_frozen`,
 * `wallet_limit`, `second_factor_required`, or `not_possible` in a status that takes none.
 */
export async function payInWallet(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  { userId, proof }: ActingUser,
): Promise<Payment> {
  const now = deps.now();
  const payment = chargedOf(await linkPayment(tx, deps, paymentId, 'wallet'));
  // After the deadline the worker ends the payment, once its rails have been read beyond it.
  if (payment.status !== 'linked' || now >= payment.deadline)
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  const user = await lockUser(tx, userId);
  if (user.isFrozen) throw refuse(walletErrors.wallet_frozen);
  const balances = await balancesOf(tx, { kind: 'user', owner: userId, mode: payment.mode });
  const missing = missingUnits(deps.assets, payment, await transfersOf(tx, payment.id));
  const parts = partsOf(deps.assets, payment, balances, missing);
  const reports = parts.map((part) => {
    const id = newId(now);
    const transfer = { rail: 'wallet', key: id, paymentId, transaction: id, confirmations: 1, needed: 1 };
    const source: Party = { kind: 'user', owner: userId };
    return { seen: { ...transfer, ...part, state: 'final' as const }, at: now, source };
  });
  const [paid = payment] = await recordTransfers(tx, deps, reports);
  for (const { asset, units } of parts) {
    const use = { user, mode: payment.mode, asset: deps.assets.get(asset), units };
    await takeUse(tx, { ...use, action: 'pay' }, now);
    if (!isProved(proof, userId, now)) await takeUnproved(tx, { ...use, action: 'pay_unproved' }, now);
  }
  const { name: other } = await getIntegration(tx, payment.integrationId);
  await recordNotices(
    tx,
    parts.map(({ asset, units }) => {
      return { userId, mode: payment.mode, kind: 'paid', asset, units, other, aboutId: payment.id };
    }),
    now,
  );
  return paid;
}

/** Above this limit a second factor is required, with which the limit does not count. */
async function takeUnproved(tx: Tx, use: WalletUse, now: Date): Promise<void> {
  await takeUse(tx, use, now).catch((error: unknown) => {
    const isAbove = error instanceof Refusal && error.row === walletErrors.wallet_limit;
    throw isAbove ? refuse(walletErrors.second_factor_required) : error;
  });
}

function partsOf(assets: Assets, payment: ChargedPayment, balances: Balance[], missing: bigint) {
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
