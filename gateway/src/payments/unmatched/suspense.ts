import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Assets, Currency } from '../../money/assets.ts';
import type { PaymentStatus, Reason } from '../payment/payment.ts';

/** A transfer that may be in suspense; `units` are at its asset's scale. */
export type SuspenseLine = {
  id: string;
  payment_id: string;
  reference: string;
  status: PaymentStatus;
  reason: Reason | null;
  mode: Mode;
  integration_id: string;
  integration_name: string;
  currency: Currency;
  asset: string;
  units: bigint;
  transaction: string;
  rail: string;
  sender: string | null;
  /** When it was first seen: a payment that it was meant for was created before. */
  seen_at: Date;
  final_at: Date;
};

// Money of a completed payment is in suspense only when it came in another currency.
const linesSql = `
SELECT t.ledger_id AS id, p.id AS payment_id, p.reference, p.status, p.reason, p.mode, p.integration_id,
  i.name AS integration_name, p.currency, t.asset, t.units, t.transaction, t.rail, t.sender, t.seen_at, t.final_at
FROM payment_transfers t
JOIN payments p ON p.id = t.payment_id
JOIN integrations i ON i.id = p.integration_id
WHERE t.state = 'final' AND ($1::uuid IS NULL OR t.ledger_id < $1)
  AND (p.status <> 'completed'
    OR NOT EXISTS (SELECT FROM unnest($3::text[], $4::text[]) AS own (asset, currency)
                   WHERE own.asset = t.asset AND own.currency = p.currency))
ORDER BY t.ledger_id DESC LIMIT $2`;

/** Transfers that may be in suspense, newest first; the ledger then decides which of them are. */
export async function suspenseCandidates(
  reader: Reader,
  assets: Assets,
  { before, limit }: { before: string | null; limit: number },
): Promise<SuspenseLine[]> {
  const own = assets.all.map(({ code, currency }) => [code, currency] as const);
  const { rows } = await reader.query<SuspenseLine>(linesSql, [
    before,
    limit,
    own.map(([code]) => code),
    own.map(([, currency]) => currency),
  ]);
  return rows;
}

/** A transfer that arrived, by its id in the ledger; throws `not_found`. */
export async function findLine(reader: Reader, id: string): Promise<SuspenseLine> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<SuspenseLine>(
    `SELECT t.ledger_id AS id, p.id AS payment_id, p.mode, p.integration_id, p.currency, t.asset, t.units, t.seen_at,
       t.final_at
     FROM payment_transfers t JOIN payments p ON p.id = t.payment_id
     WHERE t.ledger_id = $1 AND t.state = 'final'`,
    [id],
  );
  const line = rows[0];
  if (!line) throw refuse(kitErrors.not_found);
  return line;
}
