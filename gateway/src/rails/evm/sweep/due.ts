import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { Hex } from '../config/chains.ts';

/** The money of one token at one deposit address, which is to be moved to its treasury. */
export type Deposit = {
  token: Hex;
  /** null: a token that is not listed, or the native coin, which pay nothing. */
  asset: AssetCode | null;
  address: Hex;
  /**
   * Whose address it is, as `ownerText` writes it, or the splitter of a part that waits. Null: a splitter, which only
   * divides what it holds.
   */
  owner: string | null;
  /** Where it goes: a treasury, a splitter, or the side whose part waits. */
  treasury: Hex;
  /** The token's smallest units. */
  units: bigint;
  /** When the first of it was seen. */
  since: Date;
};

/** More addresses than this are not held in memory at once. */
const looksAtMost = 20_000;
/** The scanner may need this long to see a sweep that is final for us. */
const scanSeconds = 10 * 60;

type DueRow = {
  token: Hex;
  asset: string;
  address: Hex;
  owner: string;
  treasury: Hex;
  units: bigint;
  since: Date;
};

/** An owner as `ownerText` writes it, of the row `a`. */
const ownerColumn = `CASE a.owner_kind WHEN 'payment' THEN '' ELSE a.owner_kind || ':' END || a.owner_id`;

/** By the address of a token, the fewest units of a deposit that is read; a token that is not in it has no minimum. */
export type LeastUnits = Record<Hex, bigint>;

/**
 * The final money at deposit addresses that is neither swept nor on its way, the oldest first. Derived addresses are left
 * out: no contract can move their money, only the wallet of their key. With `least`, a million small deposits that wait
 * for cheaper gas are not counted each time.
 */
export async function depositsDue(
  reader: Reader,
  chainId: number,
  now: Date,
  least: LeastUnits = {},
): Promise<Deposit[]> {
  const { rows } = await reader.query<DueRow>(
    `WITH held AS (
       SELECT token, unnest(payments) AS owner FROM evm_transactions
       WHERE chain_id = $1 AND kind = 'sweep' AND state IN ('prepared', 'sent', 'mined')
       UNION
       SELECT token, unnest(payments) FROM evm_transactions
       WHERE chain_id = $1 AND kind = 'sweep' AND state = 'final' AND settled_at > $3
     ), places AS (
       SELECT token, address FROM evm_transfers
       WHERE chain_id = $1 AND kind = 'deposit' AND state = 'final' AND NOT swept
       GROUP BY token, address
       HAVING sum(units) >= coalesce(($5::json ->> token)::numeric, 0)
     )
     SELECT p.token, p.address, ${ownerColumn} AS owner, a.treasury, left_there.*
     FROM places p JOIN evm_addresses a USING (address)
     CROSS JOIN LATERAL (
       SELECT min(t.asset) AS asset, sum(CASE t.kind WHEN 'deposit' THEN t.units ELSE -t.units END) AS units,
         min(t.seen_at) FILTER (WHERE t.kind = 'deposit' AND NOT t.swept) AS since
       FROM evm_transfers t
       WHERE t.chain_id = $1 AND t.token = p.token AND t.address = p.address
         AND CASE t.kind WHEN 'deposit' THEN t.state = 'final' ELSE t.state <> 'gone' END
     ) AS left_there
     WHERE a.treasury IS NOT NULL AND left_there.units > 0
       AND NOT EXISTS (SELECT FROM held WHERE held.token = p.token AND held.owner = ${ownerColumn})
       AND NOT EXISTS (SELECT FROM evm_sweep_faults f
                       WHERE f.chain_id = $1 AND f.token = p.token AND f.address = p.address
                         AND f.retry_at > $2)
     ORDER BY since, p.address, p.token
     LIMIT $4`,
    [chainId, now, after(now, -scanSeconds), looksAtMost, JSON.stringify(least, textOfBigints)],
  );
  return rows;
}

const textOfBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

/**
 * Notes which deposits have left their addresses by final transfers, so that they are not read again; and clears that
 * where a reorg removed one of these transfers.
 */
export async function noteSwept(reader: Reader, chainId: number): Promise<void> {
  await reader.query(
    `UPDATE evm_transfers t SET swept = false
     FROM (SELECT DISTINCT token, address FROM evm_transfers
           WHERE chain_id = $1 AND kind = 'sweep' AND state = 'gone') gone
     WHERE t.chain_id = $1 AND t.token = gone.token AND t.address = gone.address AND t.swept`,
    [chainId],
  );
  await reader.query(
    `WITH places AS (
       SELECT DISTINCT token, address FROM evm_transfers
       WHERE chain_id = $1 AND kind = 'sweep' AND state = 'final' AND NOT swept
     ), counted AS (
       SELECT p.token, p.address, sum(CASE t.kind WHEN 'deposit' THEN t.units ELSE -t.units END) AS units
       FROM places p JOIN evm_transfers t ON t.chain_id = $1 AND t.token = p.token AND t.address = p.address
       WHERE t.state = 'final'
       GROUP BY p.token, p.address
     )
     UPDATE evm_transfers t SET swept = true
     FROM counted c
     WHERE t.chain_id = $1 AND t.token = c.token AND t.address = c.address AND t.state = 'final'
       AND NOT t.swept AND (t.kind = 'sweep' OR c.units <= 0)`,
    [chainId],
  );
  // An empty address has no fault any more.
  await reader.query(
    `DELETE FROM evm_sweep_faults f
     WHERE f.chain_id = $1 AND NOT EXISTS (
       SELECT 1 FROM evm_transfers t
       WHERE t.chain_id = $1 AND t.token = f.token AND t.address = f.address AND t.kind = 'deposit'
         AND t.state = 'final' AND NOT t.swept)`,
    [chainId],
  );
}

/**
 * The deposits that an operator asks to recover: all that the addresses of payments hold of a token. An address is the
 * same on every chain, so that money that was sent on a wrong one is found too.
 */
export async function depositsOf(
  reader: Reader,
  { token, now }: { token: Hex; now: Date },
  paymentIds: readonly string[],
): Promise<Deposit[]> {
  const { rows } = await reader.query<{ address: Hex; owner_id: string; treasury: Hex }>(
    `SELECT address, owner_id, treasury FROM evm_addresses
     WHERE owner_id = ANY ($1) AND treasury IS NOT NULL
     ORDER BY address`,
    [paymentIds],
  );
  return rows.map(({ owner_id: owner, ...row }) => ({
    ...row,
    owner,
    token,
    asset: null,
    // All that is there: the chain is asked later.
    units: 0n,
    since: now,
  }));
}
