import type { Clock } from '../kit/clock.ts';
import type { Database, Reader, Tx } from '../kit/db/db.ts';
import { type Refusal, refuse } from '../kit/errors.ts';
import { keyedBatch } from '../kit/http/keyed-batch.ts';
import { newId } from '../kit/ids.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { postTransfers, type Transfer } from '../ledger/ledger.ts';
import { type AllowanceUse, returnAllowances, takeAllowances } from './allowance.ts';
import { walletErrors } from './errors.ts';
import { findUserIds } from './users.ts';
import type { Funding, WalletBackend } from './wallet-backend.ts';

type Item = Funding & { transferId: string };

/** Wallets in this installation's ledger: one commit moves the units and stores the Idempotency-Key. */
export function createEmbeddedBackend(db: Database, now: Clock): WalletBackend {
  const submit = keyedBatch<Item>({ db, now, write: fundUsers, wasWritten: wasPosted });
  return {
    fund: (funding) => submit({ ...funding, transferId: newId(now()) }),
    hasUser: async (username) => (await findUserIds(db, [username])).has(username),
    reconcile: async () => 0,
  };
}

async function fundUsers(tx: Tx, items: Item[], now: Date): Promise<(Refusal | null)[]> {
  const userIds = await findUserIds(tx, [...new Set(items.map(({ username }) => username))]);
  const known = items.filter(({ username }) => userIds.has(username));
  const overLimit = await takeLimits(tx, known, now);
  const fitting = known.filter((item) => !overLimit.get(item));
  const transfers = fitting.map((item) => transferOf(item, userIds));
  const outcomes = transfers.length > 0 ? await postTransfers(tx, transfers, now) : [];
  const outcomeOf = new Map(fitting.map((item, index) => [item, outcomes[index]]));
  await returnAllowances(tx, usesOf(fitting.filter((item) => outcomeOf.get(item) !== 'posted')), now);
  for (const item of fitting) if (outcomeOf.get(item) === 'posted') await item.record?.(tx);
  return items.map((item) => {
    if (!userIds.has(item.username)) return refuse(walletErrors.user_not_found);
    const refusal = overLimit.get(item);
    if (refusal) return refusal;
    return outcomeOf.get(item) === 'posted' ? null : refuse(ledgerErrors.insufficient_balance);
  });
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

/** Why items do not fit their keys' daily limits; few keys have one. */
async function takeLimits(tx: Tx, items: Item[], now: Date): Promise<Map<Item, Refusal | null>> {
  const limited = items.filter(({ allowance }) => allowance);
  if (limited.length === 0) return new Map();
  const refusals = await takeAllowances(tx, usesOf(limited), now);
  return new Map(limited.map((item, index) => [item, refusals[index] ?? null]));
}

function usesOf(items: Item[]): AllowanceUse[] {
  return items.flatMap(({ allowance }) => allowance ?? []);
}

async function wasPosted(reader: Reader, items: Item[]): Promise<boolean[]> {
  const ids = items.map(({ transferId }) => transferId);
  const { rows } = await reader.query<{ id: string }>('SELECT id FROM ledger_transfers WHERE id = ANY($1)', [
    ids,
  ]);
  const found = new Set(rows.map((row) => row.id));
  return ids.map((id) => found.has(id));
}
