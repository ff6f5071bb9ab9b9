import type { Mode } from '../../identity/integration.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { dryRun } from '../../kit/db/dry-run.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import type { Asset } from '../../money/assets.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import { orderPayout } from '../../payouts/lifecycle/order.ts';
import type { PayoutDeps } from '../../payouts/lifecycle/state.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import { payoutsById } from '../../payouts/payout/read.ts';
import { comparable } from '../../payouts/rules/addresses.ts';
import { walletErrors } from '../errors.ts';
import { assertForm } from '../form.ts';
import { takeUse } from '../limits.ts';
import { recordNotices } from '../notices.ts';
import { type ActingUser, assertProved } from '../second-factor.ts';
import { lockUser, type Standing } from '../standing.ts';
import type { UserId } from '../users.ts';
import { type AddressDeps, assertRested } from './addresses.ts';

/** What a user asks to be paid out. */
export type WithdrawalRequest = {
  mode: Mode;
  asset: Asset;
  /** What the address gets, at the asset's scale. */
  units: bigint;
  to: string;
  memo: string | null;
  /** Names the form, which has one effect however often it is sent. */
  formKey: string;
};

export type WithdrawalDeps = PayoutDeps & AddressDeps;

/**
 * Orders a payout out of a user's balance: the hold for the amount and the operator's fee, what it takes of limits, the row
 * and the notice in one transaction. `proof`: that the user has just shown a second factor; null: none was shown, which is
 * enough only where the operator turned the checks off. A form that was sent before gets its withdrawal as it is now.
 * Throws `idempotency_mismatch`, `second_factor_required`, `wallet_frozen`, `balance_short`, `wallet_limit`, and as payouts
 * do `address_unknown`, `address_rests`, a field's fault, `below_minimum_payout`, `payouts_unavailable`, `payouts_stopped`.
 */
export async function withdraw(
  tx: Tx,
  deps: WithdrawalDeps,
  { userId, proof }: ActingUser,
  request: WithdrawalRequest,
): Promise<Payout> {
  const user = await lockUser(tx, userId);
  const earlier = await withdrawalOfForm(tx, userId, request.formKey);
  if (earlier) return sameWithdrawal(earlier, request);
  if (deps.checks) assertProved(proof, userId, deps.now());
  return await order(tx, deps, user, request);
}

/** What a withdrawal would do. */
export type WithdrawalPreview = {
  payout: Payout;
  /** What leaves the balance: the amount with the fee. */
  total: bigint;
  needsSecondFactor: boolean;
};

/** What a withdrawal would do and cost, without doing it; it is refused as the withdrawal itself would be. */
export async function previewWithdrawal(
  db: Database,
  deps: WithdrawalDeps,
  userId: UserId,
  request: WithdrawalRequest,
): Promise<WithdrawalPreview> {
  const payout = await dryRun(db, async (tx) => {
    const user = await lockUser(tx, userId);
    const earlier = await withdrawalOfForm(tx, userId, request.formKey);
    return earlier ? sameWithdrawal(earlier, request) : await order(tx, deps, user, request);
  });
  return { payout, total: payout.units + payout.fee, needsSecondFactor: deps.checks };
}

async function order(
  tx: Tx,
  deps: WithdrawalDeps,
  user: Standing,
  { mode, asset, units, to, memo, formKey }: WithdrawalRequest,
): Promise<Payout> {
  const now = deps.now();
  assertForm({ units, formKey });
  if (user.isFrozen) throw refuse(walletErrors.wallet_frozen);
  const fault = deps.faultOf(mode)({ asset: asset.code, to, memo });
  if (fault) throw invalid(fault.field, fault.why);
  if (deps.checks) await assertRested(tx, user.id, { mode, to, memo }, now);
  const debit = { kind: 'user', owner: user.id } as const;
  const terms = {
    owner: null,
    mode,
    purpose: 'withdrawal',
    debit,
    isCharged: true,
    isAnyAddress: true,
  } as const;
  const requester = { accountId: null, name: `user ${user.username}`, limits: null };
  const wanted = { asset, units, to, memo };
  const payout = await orderPayout(tx, deps, { ...terms, requester, ownTime: now }, wanted);
  await takeUse(tx, { user, mode, action: 'withdraw', asset, units }, now);
  await tx.query(
    'INSERT INTO withdrawals (payout_id, user_id, mode, form_key, created_at) VALUES ($1, $2, $3, $4, $5)',
    [payout.id, user.id, mode, formKey, now],
  );
  const notice = { userId: user.id, mode, asset: asset.code, units, other: to, aboutId: payout.id };
  await recordNotices(tx, [{ ...notice, kind: 'withdrawal_ordered' }], now);
  return payout;
}

/** Cancels a withdrawal of which nothing is signed. Throws `payout_not_found`, `payout_not_cancellable`. */
export async function cancelWithdrawal(
  tx: Tx,
  deps: PayoutDeps,
  userId: UserId,
  payoutId: string,
): Promise<Payout> {
  const own = await findWithdrawal(tx, userId, payoutId);
  return await cancelPayout(tx, deps, own.id);
}

/** One of a user's own withdrawals. Throws `payout_not_found`. */
export async function findWithdrawal(reader: Reader, userId: UserId, payoutId: string): Promise<Payout> {
  const { rows } = await reader.query<{ payout_id: string }>(
    'SELECT payout_id FROM withdrawals WHERE user_id = $1 AND payout_id::text = $2',
    [userId, payoutId.toLowerCase()],
  );
  const [payout] = await payoutsOf(reader, rows);
  if (!payout) throw refuse(payoutErrors.payout_not_found);
  return payout;
}

/** A user's withdrawals of a mode, newest first, before the payout `before`. */
export async function listWithdrawals(
  reader: Reader,
  userId: UserId,
  mode: Mode,
  { before, limit }: { before: string | null; limit: number },
): Promise<Payout[]> {
  const { rows } = await reader.query<{ payout_id: string }>(
    `SELECT payout_id FROM withdrawals
     WHERE user_id = $1 AND mode = $2 AND ($3::uuid IS NULL OR payout_id < $3)
     ORDER BY payout_id DESC LIMIT $4`,
    [userId, mode, before, limit],
  );
  return await payoutsOf(reader, rows);
}

async function payoutsOf(reader: Reader, rows: readonly { payout_id: string }[]): Promise<Payout[]> {
  const payouts = await payoutsById(
    reader,
    rows.map(({ payout_id }) => payout_id),
  );
  return rows.flatMap(({ payout_id }) => payouts.get(payout_id) ?? []);
}

async function withdrawalOfForm(reader: Reader, userId: UserId, formKey: string): Promise<Payout | null> {
  const { rows } = await reader.query<{ payout_id: string }>(
    'SELECT payout_id FROM withdrawals WHERE user_id = $1 AND form_key = $2',
    [userId, formKey],
  );
  const [payout] = await payoutsOf(reader, rows);
  return payout ?? null;
}

function sameWithdrawal(earlier: Payout, { mode, asset, units, to, memo }: WithdrawalRequest): Payout {
  const isSame =
    earlier.mode === mode &&
    earlier.asset === asset.code &&
    earlier.units === units &&
    comparable(earlier.to) === comparable(to) &&
    earlier.memo === memo;
  if (!isSame) throw refuse(kitErrors.idempotency_mismatch);
  return earlier;
}
