import type { Reader } from '../../../kit/db/db.ts';
import type { RailFault } from '../../health.ts';
import type { Hex } from '../config/chains.ts';

type SenderState = { signer: Hex; balance: bigint; fault: string | null };

/** Notes the state of a chain's payout sender. Returns whether its fault is new. */
export async function noteSender(
  reader: Reader,
  chainId: number,
  { signer, balance, fault }: SenderState,
): Promise<boolean> {
  const { rows } = await reader.query<{ before: string | null }>(
    `WITH old AS (SELECT fault FROM evm_payout_senders WHERE chain_id = $1)
     INSERT INTO evm_payout_senders (chain_id, signer, gas_balance, fault) VALUES ($1, $2, $3, $4)
     ON CONFLICT (chain_id) DO UPDATE SET signer = excluded.signer, gas_balance = excluded.gas_balance,
       fault = excluded.fault
     RETURNING (SELECT fault FROM old) AS before`,
    [chainId, signer, balance, fault],
  );
  return fault !== null && rows[0]?.before !== fault;
}

/** Notes why a round could not begin. Returns whether that is new. */
export async function noteSenderFault(reader: Reader, chainId: number, fault: string): Promise<boolean> {
  const { rowCount } = await reader.query(
    `INSERT INTO evm_payout_senders AS s (chain_id, fault) VALUES ($1, $2)
     ON CONFLICT (chain_id) DO UPDATE SET fault = excluded.fault WHERE s.fault IS DISTINCT FROM excluded.fault`,
    [chainId, fault],
  );
  return rowCount === 1;
}

/** Clears the fault after a round without a signer that succeeded. */
export async function clearSenderFault(reader: Reader, chainId: number): Promise<void> {
  await reader.query(
    `UPDATE evm_payout_senders SET signer = NULL, gas_balance = NULL, fault = NULL
     WHERE chain_id = $1 AND (signer IS NOT NULL OR fault IS NOT NULL)`,
    [chainId],
  );
}

/** What keeps orders of a chain from being paid, for operators. */
export async function payoutFaults(reader: Reader, chainId: number): Promise<RailFault[]> {
  const { rows } = await reader.query<{ message: string }>(
    `SELECT fault AS message FROM evm_payout_senders WHERE chain_id = $1 AND fault IS NOT NULL
     UNION ALL
     SELECT count(*) || CASE count(*) WHEN 1 THEN ' payout waits: ' ELSE ' payouts wait: ' END || fault
     FROM evm_payouts WHERE chain_id = $1 AND state = 'queued' AND fault IS NOT NULL AND export_id IS NULL
       AND fault NOT IN (SELECT fault FROM evm_payout_senders WHERE chain_id = $1 AND fault IS NOT NULL)
     GROUP BY fault`,
    [chainId],
  );
  return rows.map(({ message }) => ({ code: 'not_sending', message }));
}
