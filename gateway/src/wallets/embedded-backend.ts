import type { Clock } from '../kit/clock.ts';
import { type Database, type Reader, type Tx, together, withCommit } from '../kit/db/db.ts';
import { type Refusal, refuse } from '../kit/errors.ts';
import { keyedBatch } from '../kit/http/keyed-batch.ts';
import { newId } from '../kit/ids.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import {
  type AccountRef,
  accountsOf,
  lockAccounts,
  type PostOutcome,
  postTransfers,
  type Transfer,
} from '../ledger/ledger.ts';
import { debtorsAmong, repayReceivables } from '../ledger/receivable.ts';
import { returnAllowances, takeAllowances } from './allowance.ts';
import { walletErrors } from './errors.ts';
import { type Notice, recordNotices } from './notices.ts';
import { findUserIds, type UserId } from './users.ts';
import type { Funding, WalletBackend } from './wallet-backend.ts';

type Item = Funding & { transferId: string };

/** Wallets in this installation's ledger: one commit moves the units and stores the Idempotency-Key. */
export function createEmbeddedBackend(db: Database, now: Clock): WalletBackend {
  const submit = keyedBatch<Item>({ db, now, write: fundUsers, wasWritten: wasPosted });
  return {
    fund: (funding) => submit({ ...funding, transferId: newId(now()) }),
    hasUser: async (username) => (await findUserIds(db, [username])).has(username),
    async accountOf(username) {
      const owner = (await findUserIds(db, [username])).get(username);
      if (owner === undefined) throw refuse(walletErrors.user_not_found);
      return { kind: 'user', owner };
    },
    reconcile: async () => 0,
  };
}

async function fundUsers(tx: Tx, items: Item[], now: Date): Promise<(Refusal | null)[]> {
  const userIds = await findUserIds(tx, [...new Set(items.map(({ username }) => username))]);
  const known = items.filter(({ username }) => userIds.has(username));
  const isLimited = known.some(({ uses }) => uses.length > 0);
  await lockSides(
    tx,
    known.map((item) => transferOf(item, userIds)),
    isLimited,
  );
  const refusals = isLimited
    ? await takeAllowances(
        tx,
        known.map(({ uses }) => uses),
        now,
      )
    : [];
  const overLimit = new Map(known.map((item, index) => [item, refusals[index] ?? null]));
  const fitting = known.filter((item) => !overLimit.get(item));
  const transfers = fitting.map((item) => transferOf(item, userIds));
  const outcomes = await post(tx, transfers, now);
  const outcomeOf = new Map(fitting.map((item, index) => [item, outcomes[index]]));
  const notices = fitting.flatMap((item, index) => {
    const transfer = transfers[index];
    return transfer && outcomes[index] === 'posted' ? noticeOf(item, transfer) : [];
  });
  withCommit(tx, () => [recordNotices(tx, notices, now)]);
  const unposted = fitting.filter((item) => outcomeOf.get(item) !== 'posted');
  await returnAllowances(
    tx,
    unposted.flatMap(({ uses }) => uses),
    now,
  );
  for (const item of fitting) if (outcomeOf.get(item) === 'posted') await item.record?.(tx);
  return items.map((item) => {
    if (!userIds.has(item.username)) return refuse(walletErrors.user_not_found);
    const refusal = overLimit.get(item);
    if (refusal) return refusal;
    return outcomeOf.get(item) === 'posted' ? null : refuse(ledgerErrors.insufficient_balance);
  });
}

const usersOf = (transfers: readonly Transfer[]) => [...new Set(transfers.map(({ credit }) => credit.owner))];

/** Locks the accounts of fundings where more is locked after them: what users owe, or sums of limits. */
async function lockSides(tx: Tx, transfers: readonly Transfer[], isLimited: boolean): Promise<void> {
  if (transfers.length === 0) return;
  const debtors = await debtorsAmong(tx, usersOf(transfers));
  const owing = transfers.filter(({ credit }) => debtors.has(credit.owner));
  if (owing.length === 0 && !isLimited) return;
  const debts = owing.map(({ mode, asset, credit: { owner } }): AccountRef => {
    return { kind: 'receivable', owner, mode, asset };
  });
  await lockAccounts(tx, [...transfers.flatMap(accountsOf), ...debts]);
}

/** Posts the credits. Users who owe something first pay it out of what they get. */
async function post(tx: Tx, transfers: Transfer[], now: Date): Promise<PostOutcome[]> {
  if (transfers.length === 0) return [];
  // Once more: a deposit may have been reversed before these accounts were locked.
  const [outcomes, debtorsNow] = await together(tx, () => [
    postTransfers(tx, transfers, now),
    debtorsAmong(tx, usersOf(transfers)),
  ]);
  const credits = transfers
    .filter(({ credit }) => debtorsNow.has(credit.owner))
    .map(({ id, mode, asset, credit: { owner } }) => ({ owner, mode, assets: [asset], causeId: id }));
  await repayReceivables(tx, credits, now);
  return outcomes;
}

/** Tells users who funded them. */
function noticeOf({ integrationName: other, mode, asset, units }: Item, { id, credit }: Transfer): Notice {
  return { userId: credit.owner as UserId, mode, kind: 'funded', asset, units, other, aboutId: id };
}

function transferOf(item: Item, userIds: ReadonlyMap<string, string>): Transfer {
  const { transferId: id, mode, asset, units, integrationId, username, caller } = item;
  const user = userIds.get(username);
  if (user === undefined) throw new Error('A user who does not exist cannot be funded');
  return {
    ...{ id, mode, asset, units },
    debit: { kind: 'business', owner: integrationId },
    credit: { kind: 'user', owner: user },
    cause: 'fund_user',
    causeId: null,
    caller,
  };
}

async function wasPosted(reader: Reader, items: Item[]): Promise<boolean[]> {
  const ids = items.map(({ transferId }) => transferId);
  const { rows } = await reader.query<{ id: string }>('SELECT id FROM ledger_transfers WHERE id = ANY($1)', [
    ids,
  ]);
  const found = new Set(rows.map((row) => row.id));
  return ids.map((id) => found.has(id));
}
