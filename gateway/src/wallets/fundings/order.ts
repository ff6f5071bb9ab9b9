import { countMembers } from '../../identity/merchants/people.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { accountsOf, lockAccounts, type Party } from '../../ledger/ledger.ts';
import { orderPayout, type Requester } from '../../payouts/lifecycle/order.ts';
import type { PayoutDeps } from '../../payouts/lifecycle/state.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import { approvalsFor, payoutSettingsOf } from '../../payouts/rules/settings.ts';
import { type AllowanceUse, holdFundingUses, takeAllowances } from '../allowance.ts';
import type { FundUserInput } from '../fund-user.ts';

/**
 * How many others must approve that a person funds a user: as many as a payout of the amount needs, as far as there are
 * others who could. While payouts are off nobody was asked whether there are enough.
 */
export async function approvalsOfFunding(
  reader: Reader,
  owner: Owner,
  merchantId: string | null,
  { asset, units }: Pick<FundUserInput, 'asset' | 'units'>,
): Promise<number> {
  const needed = approvalsFor(await payoutSettingsOf(reader, owner), asset, units);
  if (needed === 0 || merchantId === null) return 0;
  const others = (await countMembers(reader, merchantId, 'make payouts')) - 1;
  return Math.max(0, Math.min(needed, others));
}

/** A funding that waits; `wallet` is the account that stands for the user's. */
export type OrderedFunding = {
  owner: Owner;
  input: FundUserInput;
  wallet: Party;
  /** At least one. */
  approvals: number;
  /** What it takes of the integration's daily limit, given back if it ends unpaid. */
  uses: readonly AllowanceUse[];
  requester: Pick<Requester, 'accountId' | 'name'>;
};

/** Orders a funding that others must approve. Throws `funding_limit`, `insufficient_balance`. */
export async function orderFunding(tx: Tx, deps: PayoutDeps, funding: OrderedFunding): Promise<Payout> {
  const { owner, input, wallet, approvals, uses, requester } = funding;
  const { username: to, asset, units } = input;
  const now = deps.now();
  const debit = { kind: 'business', owner: owner.integrationId } as const;
  await lockAccounts(tx, accountsOf({ mode: owner.mode, asset: asset.code, debit, credit: wallet }));
  const [refusal] = await takeAllowances(tx, [uses], now);
  if (refusal) throw refusal;
  const terms = { owner, mode: owner.mode, purpose: 'user_funding', debit, isCharged: false } as const;
  const asks = { requester: { ...requester, limits: null }, approval: approvals, ownTime: now };
  const payout = await orderPayout(tx, deps, { ...terms, ...asks }, { asset, units, to, memo: null, wallet });
  await holdFundingUses(tx, payout.id, uses, now);
  return payout;
}
