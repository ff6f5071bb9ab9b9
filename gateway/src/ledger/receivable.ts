import type { Mode } from '../identity/integration.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import type { AssetCode } from '../money/money.ts';
import { postAll, type Transfer } from './ledger.ts';

/** The owner and mode of the balance of a business or a user. */
export type Business = { owner: string; mode: Mode };

/**
 * Divides transfers out of the balance of a business or a user into the part that the balance covers and a part that
 * they then owe: a transfer of its own out of their receivable. The balances stay locked until the transfers are posted.
 */
export async function coverShortage(
  tx: Tx,
  { owner, mode }: Business,
  transfers: Transfer[],
  now: Date,
): Promise<Transfer[]> {
  const { rows } = await tx.query<{ asset: AssetCode; available: bigint }>(
    `SELECT asset, balance - held AS available FROM ledger_accounts
     WHERE owner = $1 AND mode = $2 AND asset = ANY($3) AND kind IN ('business', 'user')
     ORDER BY id FOR UPDATE`,
    [owner, mode, transfers.map(({ asset }) => asset)],
  );
  const left = new Map(rows.map((row) => [row.asset, row.available]));
  return transfers.flatMap((transfer) => {
    const available = left.get(transfer.asset) ?? 0n;
    const covered = transfer.units < available ? transfer.units : available;
    left.set(transfer.asset, available - covered);
    const owed: Transfer = {
      ...transfer,
      id: newId(now),
      units: transfer.units - covered,
      debit: { kind: 'receivable', owner },
    };
    return [{ ...transfer, units: covered }, owed].filter(({ units }) => units > 0n);
  });
}

/** A credit to the balance of a business or a user: in which assets, and its cause. */
export type Credit = Business & { assets: readonly AssetCode[]; causeId: string | null };

/**
 * Pays what businesses and users owe out of their balances, as far as these go, after a credit. Until all is paid such a
 * balance stays empty, so that fund-user, sends and withdrawals wait. To be called by code that credits them or frees
 * holds on them, in the same transaction and after that.
 */
export async function repayReceivables(tx: Tx, credits: readonly Credit[], now: Date): Promise<void> {
  await repayDebts(tx, await lockDebts(tx, credits), credits, now);
}

/** Locks what these businesses owe in these assets: nearly always nothing. */
export async function lockDebts(tx: Tx, credits: readonly Credit[]): Promise<Debt[]> {
  const wanted = credits.flatMap(({ owner, mode, assets }) =>
    assets.map((asset) => ({ owner, mode, asset })),
  );
  if (wanted.length === 0) return [];
  const { rows } = await tx.query<Debt>({
    name: 'lock-debts',
    text: `SELECT owner, mode, asset, -balance AS owed FROM ledger_accounts
           WHERE (owner, mode, asset) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
             AND kind = 'receivable' AND balance < 0
           ORDER BY id FOR UPDATE`,
    values: [
      wanted.map(({ owner }) => owner),
      wanted.map(({ mode }) => mode),
      wanted.map(({ asset }) => asset),
    ],
  });
  return rows;
}

/** Pays the locked debts, as `repayReceivables` does. */
export async function repayDebts(
  tx: Tx,
  debts: readonly Debt[],
  credits: readonly Credit[],
  now: Date,
): Promise<void> {
  for (const debt of debts) {
    const credit = credits.find(
      ({ owner, mode, assets }) => owner === debt.owner && mode === debt.mode && assets.includes(debt.asset),
    );
    await repay(tx, debt, credit?.causeId ?? null, now);
  }
}

/** Which of these owners owe something; their receivables are not locked. */
export async function debtorsAmong(reader: Reader, owners: readonly string[]): Promise<Set<string>> {
  const { rows } = await reader.query<{ owner: string }>({
    name: 'debtors-among',
    text: `SELECT DISTINCT owner FROM ledger_accounts WHERE owner = ANY ($1) AND kind = 'receivable' AND balance < 0`,
    values: [owners],
  });
  return new Set(rows.map(({ owner }) => owner));
}

/** What a business or a user owes in one asset. */
export type Debt = Business & { asset: AssetCode; owed: bigint };

async function repay(
  tx: Tx,
  { owner, mode, asset, owed }: Debt,
  causeId: string | null,
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ kind: 'business' | 'user'; available: bigint }>(
    `SELECT kind, balance - held AS available FROM ledger_accounts
     WHERE owner = $1 AND mode = $2 AND asset = $3 AND kind IN ('business', 'user')`,
    [owner, mode, asset],
  );
  const [balance] = rows;
  if (!balance) return;
  const units = owed < balance.available ? owed : balance.available;
  if (units <= 0n) return;
  const sides = { debit: { kind: balance.kind, owner }, credit: { kind: 'receivable', owner } } as const;
  const transfer = { id: newId(now), mode, asset, units, ...sides, cause: 'receivable_paid', causeId };
  await postAll(tx, [transfer], now);
}

/** The same for one of them. */
export async function repayReceivable(tx: Tx, credit: Credit, now: Date): Promise<void> {
  await repayReceivables(tx, [credit], now);
}
