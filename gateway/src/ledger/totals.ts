import type { Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import { type StoredKind, type SummedKind, storedKinds } from './accounts.ts';
import { entriesSum } from './month-totals.ts';

/** The sum of all accounts of each kind in one mode and asset; the sum over the kinds is zero. */
export type AssetTotals = {
  mode: Mode;
  asset: AssetCode;
  units: Partial<Record<StoredKind | SummedKind, bigint>>;
};

type TotalRow = { mode: Mode; asset: AssetCode; kind: StoredKind | SummedKind; units: bigint };

// Stored kinds by their balances, the others by their entries: a sum that is not zero is a fault.
const totalsSql = `
SELECT mode, asset, kind, sum(balance) AS units FROM ledger_accounts
WHERE kind = ANY ($1) GROUP BY mode, asset, kind
UNION ALL
SELECT a.mode, a.asset, a.kind, sum(${entriesSum('a')})
FROM ledger_accounts a
WHERE NOT a.stored AND a.kind IN ('fees', 'external') AND EXISTS (SELECT FROM ledger_entries WHERE account = a.id)
GROUP BY a.mode, a.asset, a.kind
ORDER BY mode, asset`;

/** The whole installation's money in one snapshot. */
export async function installationTotals(reader: Reader): Promise<AssetTotals[]> {
  const { rows } = await reader.query<TotalRow>(totalsSql, [storedKinds]);
  const totals = new Map<string, AssetTotals>();
  for (const { mode, asset, kind, units } of rows) {
    const key = `${mode} ${asset}`;
    const total = totals.get(key) ?? { mode, asset, units: {} };
    total.units[kind] = units;
    totals.set(key, total);
  }
  return [...totals.values()];
}

/** Fees of one mode: earned and not withdrawn, and being withdrawn. */
export type FeeTotal = { asset: AssetCode; earned: bigint; leaving: bigint };

/** The operator's fees in each asset, or in one of them. `earned` may be below zero after a refund. */
export async function feeTotals(
  reader: Reader,
  mode: Mode,
  asset: AssetCode | null = null,
): Promise<FeeTotal[]> {
  const { rows } = await reader.query<FeeTotal>(
    `SELECT a.asset, coalesce(sum(a.balance) FILTER (WHERE a.stored), 0) AS leaving,
       coalesce(sum(${entriesSum('a')}) FILTER (WHERE NOT a.stored), 0) AS earned
     FROM ledger_accounts a
     WHERE a.kind IN ('fees', 'fees_out') AND a.mode = $1 AND ($2::text IS NULL OR a.asset = $2)
     GROUP BY a.asset ORDER BY a.asset`,
    [mode, asset],
  );
  return rows;
}

/** The balances of the external accounts in one mode; negative units came in from there and are still here. */
export async function outsideTotals(
  reader: Reader,
  mode: Mode,
): Promise<{ owner: string; asset: AssetCode; units: bigint }[]> {
  const { rows } = await reader.query<{ owner: string; asset: AssetCode; units: bigint }>(
    `SELECT a.owner, a.asset, ${entriesSum('a')} AS units
     FROM ledger_accounts a WHERE a.kind = 'external' AND a.mode = $1 ORDER BY a.owner, a.asset`,
    [mode],
  );
  return rows;
}

/** One owner's account of a kind that is not empty: money that is not settled yet, or that a merchant owes. */
export type OwnerBalance = {
  account: bigint;
  integration_id: string;
  integration_name: string;
  merchant_id: string | null;
  merchant_name: string | null;
  mode: Mode;
  asset: AssetCode;
  units: bigint;
};

/**
 * Accounts of one kind that are not empty, the newest first, before the account `before`. A receivable is negative in the
 * ledger; here its units are what the owner owes.
 */
export async function ownersOf(
  reader: Reader,
  kind: 'receivable' | 'payable' | 'suspense',
  { before, limit }: { before: bigint | null; limit: number },
): Promise<OwnerBalance[]> {
  const { rows } = await reader.query<OwnerBalance>(
    `SELECT a.id AS account, i.id AS integration_id, i.name AS integration_name, m.id AS merchant_id,
       m.name AS merchant_name, a.mode, a.asset, abs(a.balance) AS units
     FROM ledger_accounts a
     JOIN integrations i ON i.id::text = a.owner
     LEFT JOIN merchants m ON m.id = i.merchant_id
     WHERE a.kind = $1 AND a.balance <> 0 AND ($2::bigint IS NULL OR a.id < $2)
     ORDER BY a.id DESC LIMIT $3`,
    [kind, before, limit],
  );
  return rows;
}

/** What the transfers of one cause, such as a payment, leave on one owner's account of a kind. */
export type CauseBalance = { cause: string; owner: string; asset: AssetCode; units: bigint };

/** What each of these causes still has in suspense, by owner and asset; those at zero are left out. */
export const suspenseOf = (reader: Reader, causes: readonly string[]): Promise<CauseBalance[]> =>
  balancesOfCauses(reader, 'suspense', causes);

/** What is still owed to customers because of each of these causes; those at zero are left out. */
export const payableOf = (reader: Reader, causes: readonly string[]): Promise<CauseBalance[]> =>
  balancesOfCauses(reader, 'payable', causes);

async function balancesOfCauses(
  reader: Reader,
  kind: 'suspense' | 'payable',
  causes: readonly string[],
): Promise<CauseBalance[]> {
  const { rows } = await reader.query<CauseBalance>(
    `SELECT t.cause_id AS cause, a.owner, a.asset, sum(CASE WHEN a.id = t.credit THEN t.units ELSE -t.units END) AS units
     FROM ledger_transfers t JOIN ledger_accounts a ON a.id IN (t.debit, t.credit) AND a.kind = $2
     WHERE t.cause_id = ANY ($1)
     GROUP BY t.cause_id, a.owner, a.asset
     HAVING sum(CASE WHEN a.id = t.credit THEN t.units ELSE -t.units END) <> 0`,
    [causes, kind],
  );
  return rows;
}
