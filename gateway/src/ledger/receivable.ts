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

/**
 * Pays what a business owes out of what has just come to its balance, as far as that goes: until all is paid
 * its balance stays empty, and so fund-user and withdrawals wait. To be called by the code that credits a business
 * or frees a hold on it, in the same transaction and after it.
 */
export async function repayReceivable(
  tx: Tx,
  { owner, mode }: Business,
  assets: AssetCode[],
  causeId: string | null,
  now: Date,
): Promise<void> {
  // Every settlement asks, and next to none owes.
  const { rows: debts } = await tx.query<{ asset: AssetCode; owed: bigint }>({
    name: 'lock-debts',
    text: `SELECT asset, -balance AS owed FROM ledger_accounts
           WHERE owner = $1 AND kind = 'receivable' AND mode = $2 AND asset = ANY($3) AND balance < 0
           ORDER BY id FOR UPDATE`,
    values: [owner, mode, assets],
  });
  if (debts.length === 0) return;
  const balances = await balancesOf(tx, { kind: 'business', owner, mode });
  const transfers = debts.flatMap(({ asset, owed }): Transfer[] => {
    const available = balances.find((balance) => balance.asset === asset)?.available ?? 0n;
    const units = owed < available ? owed : available;
    if (units <= 0n) return [];
    return [
      {
        id: newId(now),
        mode,
        asset,
        units,
        debit: { kind: 'business', owner },
        credit: { kind: 'receivable', owner },
        cause: 'receivable_paid',
        causeId,
      },
    ];
  });
  await postAll(tx, transfers, now);
}
