import type { Mode } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import type { AssetCode } from '../money/money.ts';
import { balancesOf, postAll, type Transfer } from './ledger.ts';

/** Whose business balance, in which mode. */
export type Business = { owner: string; mode: Mode };

/**
 * Divides transfers out of a business balance into what it covers and what the business then owes: the rest
 * comes out of its receivable, under an id of its own. The balances stay locked, so that it holds until the
 * transfers are posted.
 */
export async function coverShortage(
  tx: Tx,
  { owner, mode }: Business,
  transfers: Transfer[],
  now: Date,
): Promise<Transfer[]> {
  const { rows } = await tx.query<{ asset: AssetCode; available: bigint }>(
    `SELECT asset, balance - held AS available FROM ledger_accounts
     WHERE owner = $1 AND mode = $2 AND asset = ANY($3) AND kind = 'business'
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

/** What has just come to the balance of a business: in which assets, and why. */
export type Credit = Business & { assets: readonly AssetCode[]; causeId: string | null };

/**
 * Pays what businesses owe out of what has just come to their balances, as far as that goes: until all is paid such a
 * balance stays empty, and so fund-user and withdrawals wait. To be called by the code that credits businesses or frees
 * holds on them, in the same transaction and after it.
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

/** Pays what was locked, as `repayReceivables` says. */
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

/** What a business owes in one asset. */
export type Debt = Business & { asset: AssetCode; owed: bigint };

async function repay(
  tx: Tx,
  { owner, mode, asset, owed }: Debt,
  causeId: string | null,
  now: Date,
): Promise<void> {
  const balances = await balancesOf(tx, { kind: 'business', owner, mode });
  const available = balances.find((balance) => balance.asset === asset)?.available ?? 0n;
  const units = owed < available ? owed : available;
  if (units <= 0n) return;
  const sides = { debit: { kind: 'business', owner }, credit: { kind: 'receivable', owner } } as const;
  const transfer = { id: newId(now), mode, asset, units, ...sides, cause: 'receivable_paid', causeId };
  await postAll(tx, [transfer], now);
}

/** The same for one business. */
export async function repayReceivable(
  tx: Tx,
  business: Business,
  assets: readonly AssetCode[],
  causeId: string | null,
  now: Date,
): Promise<void> {
  await repayReceivables(tx, [{ ...business, assets, causeId }], now);
}
