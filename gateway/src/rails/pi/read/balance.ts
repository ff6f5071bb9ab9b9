import type { Reader } from '../../../kit/db/db.ts';
import { countAt, nonsense, textAt, unitsAt } from '../horizon/fields.ts';
import { type Horizon, isJson } from '../horizon/horizon.ts';
import { firstTokenOf, ledgerOf } from '../movements/movement.ts';
import { type Account, requireMoved } from './account.ts';
import { requireKnown } from './page.ts';

/** What an account holds of the network's coin, and the ledger that last changed the account. */
export type Balance = { units: bigint; ledger: bigint };

/**
 * Asks a Horizon for the balance; null where the network has no such account. `head`: its newest ledger. Throws
 * HorizonFault.
 */
export async function readBalance(horizon: Horizon, account: string, head: bigint): Promise<Balance | null> {
  const answer = await horizon.get(`/accounts/${account}`);
  if (!answer) return null;
  if (textAt(answer, 'account_id') !== account) throw nonsense('another account');
  const { balances } = answer;
  const native =
    Array.isArray(balances) && balances.find((each) => isJson(each) && each.asset_type === 'native');
  if (!native) throw nonsense('an account without a balance');
  const ledger = countAt(answer, 'last_modified_ledger');
  requireKnown(ledger, head);
  return { units: unitsAt(native, 'balance'), ledger };
}

type Named = Pick<Account, 'passphrase' | 'account'>;

/**
 * Begins to read after a token. `agreed`: what the account held there, or null where that is not known. Throws
 * LeaseLost where another reader has begun.
 */
export async function beginReading(
  reader: Reader,
  { passphrase, account }: Named,
  cursor: bigint,
  agreed: Balance | null,
): Promise<void> {
  const { rowCount } = await reader.query(
    `UPDATE pi_accounts SET cursor = $3, agreed_ledger = $4, agreed_units = $5
     WHERE passphrase = $1 AND account = $2 AND cursor IS NULL`,
    [passphrase, account, cursor, agreed?.ledger ?? null, agreed?.units ?? null],
  );
  requireMoved(rowCount, { passphrase, account });
}

/** What the records say of the balance, and what earlier comparisons found. */
export type Books = {
  cursor: bigint | null;
  agreedLedger: bigint | null;
  /** What the account should hold; null: it was never compared. */
  expected: bigint | null;
  /** The ledger of the newest record: a balance of an earlier one cannot be compared. */
  since: bigint;
  difference: bigint | null;
  /** How many comparisons have shown the difference. */
  comparisons: number;
  isReadingBack: boolean;
  tries: number;
  triesAfter: Date | null;
};

type BooksRow = {
  cursor: bigint | null;
  agreed_ledger: bigint | null;
  agreed_units: bigint | null;
  moved: bigint;
  newest: bigint | null;
  difference: bigint | null;
  differing_looks: number;
  back_cursor: bigint | null;
  back_tries: number;
  back_after: Date | null;
};

export async function readBooks(reader: Reader, { passphrase, account }: Named): Promise<Books | null> {
  const { rows } = await reader.query<BooksRow>({
    name: 'read-pi-books',
    text: `SELECT a.cursor, a.agreed_ledger, a.agreed_units, a.difference, a.differing_looks, a.back_cursor,
             a.back_tries, a.back_after,
             coalesce(sum(CASE r.direction WHEN 'in' THEN r.units ELSE -r.units END - r.fee), 0) AS moved,
             max(r.paging_token) AS newest
           FROM pi_accounts a LEFT JOIN pi_records r ON r.account = a.account AND r.state <> 'gone'
             AND r.paging_token >= (coalesce(a.agreed_ledger, -1) + 1) * 4294967296::numeric
           WHERE a.passphrase = $1 AND a.account = $2 GROUP BY a.passphrase, a.account`,
    values: [passphrase, account],
  });
  const row = rows[0];
  if (!row) return null;
  const { agreed_ledger, agreed_units, newest, moved } = row;
  return {
    cursor: row.cursor,
    agreedLedger: agreed_ledger,
    expected: agreed_units === null ? null : agreed_units + moved,
    since: newest === null ? (agreed_ledger ?? 0n) : ledgerOf(newest),
    difference: row.difference,
    comparisons: row.differing_looks,
    isReadingBack: row.back_cursor !== null,
    tries: row.back_tries,
    triesAfter: row.back_after,
  };
}

/** A comparison is written only where the cursor still is what was compared. */
type Compared = Named & { cursor: bigint };

/** Notes that balance and records agree: every movement up to `through` is recorded. Throws LeaseLost. */
export async function noteAgreement(
  reader: Reader,
  { passphrase, account, cursor }: Compared,
  { ledger, units }: Balance,
  through: Date,
): Promise<void> {
  const { rowCount } = await reader.query(
    `UPDATE pi_accounts SET agreed_ledger = $4, agreed_units = $5, difference = NULL, differing_looks = 0,
       back_cursor = NULL, back_tries = 0, back_after = NULL, compared_through = greatest(compared_through, $6)
     WHERE passphrase = $1 AND account = $2 AND cursor = $3`,
    [passphrase, account, cursor, ledger, units, through],
  );
  requireMoved(rowCount, { passphrase, account });
}

export type Difference = {
  /** The balance less what the records say, in units. */
  difference: bigint;
  /** After which token a second reading begins now, and how many found nothing; null: none begins now. */
  readBack: { from: bigint; tries: number } | null;
  through: Date;
};

/**
 * Notes by how much the balance differs. A difference that stays the same after a second reading is not due to a
 * movement that was left out: then every movement up to `through` is recorded. Throws LeaseLost.
 */
export async function noteDifference(
  reader: Reader,
  { passphrase, account, cursor }: Compared,
  { difference, readBack, through }: Difference,
): Promise<void> {
  const { rowCount } = await reader.query(
    `UPDATE pi_accounts SET difference = $4, differing_looks = least(differing_looks, 1000000) + 1,
       back_cursor = coalesce($5, back_cursor), back_tries = coalesce($6, back_tries),
       compared_through = CASE WHEN difference = $4 AND back_cursor IS NULL AND back_after IS NOT NULL
         THEN greatest(compared_through, $7) ELSE compared_through END
     WHERE passphrase = $1 AND account = $2 AND cursor = $3`,
    [passphrase, account, cursor, difference, readBack?.from ?? null, readBack?.tries ?? null, through],
  );
  requireMoved(rowCount, { passphrase, account });
}

/** The last token of a ledger: everything of later ledgers comes after it. */
export const lastTokenOf = (ledger: bigint): bigint => firstTokenOf(ledger + 1n) - 1n;
