import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { defaultPageLimit, pageFields } from '../../kit/http/page-query.ts';
import { type Line, linesOf } from '../../ledger/lines.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Links } from '../../rails/links.ts';
import { type DirectTransfer, directParts, directTransfers } from './arrivals.ts';
import { type DirectPayment, DirectPaymentPage } from './console-answers.ts';

type DirectPaymentDeps = { db: Database; assets: Assets; links: Links };

const readQuery = queryReader(
  Type.Object({ payment_reference: Type.Optional(Type.String({ maxLength: 100 })), ...pageFields }),
);

/** What came for payments that settle directly, the newest first: of all of them, or of one. */
export function directPaymentRoute(dashboard: Console, deps: DirectPaymentDeps): void {
  dashboard.get(
    'mode',
    '/direct-payments',
    { may: 'read', answer: DirectPaymentPage },
    async ({ owner, query }) => {
      const { cursor, limit = defaultPageLimit, payment_reference: reference } = readQuery(query);
      const [before] = cursor === undefined ? [] : decodeCursor(cursor, [/^\d{1,18}$/]);
      const beforeSeq = before === undefined ? null : BigInt(before);
      const rows =
        reference === undefined
          ? await linesOf(
              deps.db,
              { kind: 'direct', owner: owner.integrationId, mode: owner.mode },
              { cause: 'payment_received' },
              { beforeSeq, limit: limit + 1 },
            )
          : await ofPayment(deps.db, owner, { reference, limit });
      const page = pageOf(rows, limit, ({ seq }) => encodeCursor([seq]));
      const found = await directTransfers(
        deps.db,
        page.items.map(({ transfer, cause_id }) => ({ transfer, paymentId: cause_id ?? '' })),
      );
      const items = page.items.flatMap((row) => {
        const transfer = found.get(row.transfer);
        return transfer ? [view(deps, row, transfer)] : [];
      });
      return { message: 'Direct payments', data: { items, next_cursor: page.next_cursor } };
    },
  );
}

type Row = Pick<Line, 'seq' | 'transfer' | 'cause_id' | 'asset' | 'units' | 'created_at'>;

async function ofPayment(
  reader: Reader,
  { integrationId, mode }: Owner,
  { reference, limit }: { reference: string; limit: number },
): Promise<Row[]> {
  const { rows } = await reader.query<Row>(
    `SELECT 0::bigint AS seq, t.ledger_id AS transfer, p.id AS cause_id, t.asset, t.units, t.final_at AS created_at
     FROM payments p JOIN payment_transfers t ON t.payment_id = p.id
     WHERE p.integration_id = $1 AND p.mode = $2 AND p.reference = $3 AND t.is_direct AND t.final_at IS NOT NULL
     ORDER BY t.ledger_id DESC LIMIT $4`,
    [integrationId, mode, reference, limit],
  );
  return rows;
}

function view({ assets, links }: DirectPaymentDeps, row: Row, transfer: DirectTransfer): DirectPayment {
  const known = assets.find(row.asset);
  const { merchant, host } = directParts(row.units, transfer.basisPoints);
  const decimal = (units: bigint) => decimalOf(units, known?.scale ?? 0);
  const { rail, transaction, arrived } = transfer;
  return {
    ...{ id: row.transfer, payment_reference: transfer.reference, asset: row.asset },
    network: known?.network ?? null,
    ...{ gross: decimal(row.units), fee: decimal(host), net: decimal(merchant), state: stateOf(transfer) },
    address: transfer.merchant,
    ...{ transaction, transaction_url: links.transaction(rail, transaction) },
    arrived_transaction: arrived?.transaction ?? null,
    arrived_url: arrived && links.transaction(rail, arrived.transaction),
    arrived_block: arrived?.block ?? null,
    at: row.created_at.toISOString(),
  };
}

function stateOf({ isGone, isSwept, arrived }: DirectTransfer): DirectPayment['state'] {
  if (isGone) return 'gone';
  if (arrived) return 'arrived';
  return isSwept ? 'on_the_way' : 'at_address';
}
