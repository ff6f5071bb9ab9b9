import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import type { Party } from './accounts.ts';
import type { Transfer } from './ledger.ts';

/** The net change of one owner's account of a kind by the transfers of one cause, in units of one asset. */
export type Net = Party & { asset: AssetCode; units: bigint };

/** Sums up the transfers made because of `causeId`: all of them, or those of the named causes. */
export async function netByCause(reader: Reader, causeId: string, causes?: string[]): Promise<Net[]> {
  const { rows } = await reader.query<Net>(
    `SELECT a.kind, a.owner, a.asset, sum(leg.units) AS units
     FROM ledger_transfers t
     CROSS JOIN LATERAL (VALUES (t.debit, -t.units), (t.credit, t.units)) AS leg(account, units)
     JOIN ledger_accounts a ON a.id = leg.account
     WHERE t.cause_id = $1 AND ($2::text[] IS NULL OR t.cause = ANY($2))
     GROUP BY a.kind, a.owner, a.asset HAVING sum(leg.units) <> 0
     ORDER BY a.kind, a.owner, a.asset`,
    [causeId, causes ?? null],
  );
  return rows;
}

/** What one transfer leaves on the accounts of its two sides. */
export const netsOf = ({ asset, units, debit, credit }: Transfer): Net[] => [
  { ...debit, asset, units: -units },
  { ...credit, asset, units },
];

/** Out of whose account each of these transfers came, by the transfer's id. */
export async function sourcesOf(reader: Reader, transferIds: string[]): Promise<Map<string, Party>> {
  const { rows } = await reader.query<Party & { id: string }>(
    `SELECT t.id, a.kind, a.owner FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.debit
     WHERE t.id = ANY($1)`,
    [transferIds],
  );
  return new Map(rows.map(({ id, kind, owner }) => [id, { kind, owner }]));
}
