import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { placeHolds } from '../../ledger/holds.ts';
import { lockAccounts, type Party } from '../../ledger/ledger.ts';
import { type Payout, type PurposeName, unmoved, walletRail } from '../payout/payout.ts';
import { insertAll, type Requester } from './order.ts';
import { accountsOf, type PayoutDeps, transfersOf } from './state.ts';

/** What is to go from one account to another that no rail leads to, once it is approved. */
export type InsideOrder = {
  owner: Owner;
  purpose: PurposeName;
  asset: string;
  units: bigint;
  debit: Party;
  credit: Party;
  /** Who gets it, as people read it. */
  to: string;
  /** At least one. */
  approvals: number;
  requester: Pick<Requester, 'accountId' | 'name'>;
};

/**
 * Orders money to stay on hold until people of the merchant approve that it goes to an account inside. It has no fee, and
 * no operator approves it. Throws `insufficient_balance`.
 */
export async function orderInside(tx: Tx, deps: PayoutDeps, order: InsideOrder): Promise<Payout> {
  const createdAt = deps.now();
  const { owner, purpose, asset, units, debit, credit, to, approvals, requester } = order;
  const payout: Payout = {
    ...owner,
    id: newId<'payout'>(createdAt),
    purpose,
    causeId: null,
    status: 'awaiting_approval',
    ...{ asset, units, fee: 0n, rail: walletRail, debit, outside: credit },
    holdId: newId(createdAt),
    feeHoldId: null,
    ...{ to, memo: null, reference: null, description: null },
    approvalsNeeded: approvals,
    operatorApprovalsNeeded: 0,
    requestedBy: requester.accountId,
    requester: requester.name,
    ...unmoved,
    createdAt,
  };
  await lockAccounts(tx, accountsOf(payout));
  await placeHolds(tx, transfersOf(payout, deps.purposes), createdAt);
  const [made] = await insertAll(tx, [{ payout }], createdAt);
  if (!made) throw new Error('Nothing was ordered');
  await deps.mailApprovers?.(tx, [made]);
  return made;
}
