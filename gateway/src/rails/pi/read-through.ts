import type { Reader } from '../../kit/db/db.ts';
import type { PiConfig } from './horizon/network.ts';

/**
 * Up to which time the account was read for a payment: every movement up to then was reported to it, and the balance
 * shows that none was left out. Null before the first comparison.
 */
export async function piReadThrough(
  reader: Reader,
  { passphrase, account }: Pick<PiConfig, 'passphrase' | 'account'>,
  paymentId: string,
): Promise<Date | null> {
  const { rows } = await reader.query<{ through: Date }>(
    `SELECT least(a.compared_through, (
       SELECT min(least(r.at, r.read_at)) FROM pi_records r
       WHERE r.owner_id = $3 AND r.state IN ('held', 'final') AND coalesce(r.reported_state, 'unmatched') IN ('unmatched', 'gone')
     )) - interval '1 millisecond' AS through
     FROM pi_accounts a
     WHERE a.passphrase = $1 AND a.account = $2 AND a.compared_through IS NOT NULL`,
    [passphrase, account, paymentId],
  );
  return rows[0]?.through ?? null;
}
