import type { Reader } from '../../kit/db/db.ts';
import { checksummed } from '../../rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';

/** How a transfer that settled directly is divided, and how far it has come. */
export type DirectTransfer = {
  reference: string;
  rail: string;
  /** The customer's. */
  transaction: string;
  /** Its block left the chain. */
  isGone: boolean;
  /** The merchant's own address, and the host's, with their checksums. */
  merchant: string;
  host: string;
  basisPoints: number;
  /** It left the payment's address for the splitter. */
  isSwept: boolean;
  /** The transaction by which the merchant's part arrived, and its block. */
  arrived: { transaction: string; block: number } | null;
};

type Row = Omit<DirectTransfer, 'isSwept' | 'arrived'> & {
  id: string;
  merchant: Hex;
  host: Hex;
  swept: string | null;
  arrived: string | null;
  block: number | null;
};

// All that lies at a splitter is released at once: what was swept arrives by the first release in or after its block.
const transfersSql = `
SELECT t.ledger_id AS id, p.reference, t.rail, t.transaction, t.state = 'gone' AS "isGone", d.merchant, d.host, d.basis_points AS "basisPoints",
  sweep.transaction AS swept, release.transaction AS arrived, release.block_number::float8 AS block
FROM unnest($1::uuid[], $2::uuid[]) AS wanted (id, payment_id)
JOIN payment_transfers t ON t.payment_id = wanted.payment_id AND t.ledger_id = wanted.id AND t.is_direct
JOIN payments p ON p.id = t.payment_id
JOIN evm_transfers e ON e.chain_id = split_part(t.key, ':', 1)::bigint AND e.block_hash = split_part(t.key, ':', 2)
  AND e.log_index = split_part(t.key, ':', 3)::integer AND e.side = 'address'
JOIN evm_addresses a ON a.address = e.address
JOIN evm_direct_places d ON d.address = a.treasury
LEFT JOIN LATERAL (
  SELECT s.transaction, s.block_number FROM evm_transfers s
  WHERE s.address = e.address AND s.chain_id = e.chain_id AND s.token = e.token AND s.kind = 'sweep'
    AND s.state = 'final' AND (s.block_number, s.log_index) > (e.block_number, e.log_index)
  ORDER BY s.block_number, s.log_index LIMIT 1
) sweep ON true
LEFT JOIN LATERAL (
  SELECT m.transaction, m.block_number FROM direct_moves m
  JOIN evm_direct_places place ON place.address = m.sender AND place.splitter = d.splitter
  WHERE m.integration_id = d.integration_id AND m.rail = t.rail AND m.asset = t.asset AND m.target = 'merchant'
    AND m.state = 'final' AND m.block_number >= sweep.block_number
  ORDER BY m.block_number, m.transaction <> sweep.transaction LIMIT 1
) release ON true`;

/** The transfers of payments that settled directly, by the ledger transfer that booked each; others are left out. */
export async function directTransfers(
  reader: Reader,
  wanted: readonly { transfer: string; paymentId: string }[],
): Promise<Map<string, DirectTransfer>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await reader.query<Row>(transfersSql, [
    wanted.map(({ transfer }) => transfer),
    wanted.map(({ paymentId }) => paymentId),
  ]);
  return new Map(
    rows.map(({ id, swept, arrived, block, ...row }) => [
      id,
      {
        ...row,
        merchant: checksummed(row.merchant),
        host: checksummed(row.host),
        isSwept: swept !== null,
        arrived: arrived !== null && block !== null ? { transaction: arrived, block } : null,
      },
    ]),
  );
}

/** What both sides get of units: the host the basis points rounded down, as its contract divides, the merchant the rest. */
export function directParts(units: bigint, basisPoints: number): { merchant: bigint; host: bigint } {
  const host = (units * BigInt(basisPoints)) / 10_000n;
  return { merchant: units - host, host };
}

/** The basis points of payments with an address that settles directly; a payment has the same at all of them. */
export async function directPoints(
  reader: Reader,
  paymentIds: readonly string[],
): Promise<Map<string, number>> {
  if (paymentIds.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; points: number }>(
    `SELECT DISTINCT a.owner_id AS id, d.basis_points AS points
     FROM evm_addresses a JOIN evm_direct_places d ON d.address = a.treasury WHERE a.owner_id = ANY ($1)`,
    [paymentIds],
  );
  return new Map(rows.map(({ id, points }) => [id, points]));
}
