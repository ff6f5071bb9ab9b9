import { smallNumber } from '../../../money/small-number.ts';
import type { DirectMove } from '../../direct.ts';
import type { Move, Place, WatchedPlace } from '../../move.ts';
import type { OwnerKind, ReusableOwner } from '../../owner.ts';
import { type Group, type Outbox, postponeSql, type Report, sharedRowsAtMost } from '../../report.ts';
import { type ChainConfig, type Hex, railOf } from '../config/chains.ts';
import type { OurTransfer } from './blocks/match.ts';

type DirectPlace = { integration: string; merchant: string; host: string; points: number };

/** A transfer that is not reported in its present state. */
export type TransferRow = {
  block_hash: Hex;
  log_index: number;
  side: string;
  block_number: bigint;
  transaction: string;
  kind: OurTransfer['kind'];
  asset: string;
  sender: string;
  /** Whose it is. Both are null for a move. */
  owner_kind: OwnerKind | null;
  owner_id: string | null;
  source: OurTransfer['source'];
  target: OurTransfer['target'];
  receiver: string | null;
  /** Where a sweep goes; null for an address of an extended key, and for a move. */
  treasury: string | null;
  /** The place of direct settlement that it goes to, or that it left; null: it is none of that. */
  direct: DirectPlace | null;
  units: bigint;
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  ledger_id: string;
  /** The time of its block, or when it was seen first, whichever is earlier: the clocks of chains run ahead. */
  taken_at: Date;
  reported_state: TransferRow['state'] | null;
};

/** 1 for a transfer whose state was reported, and whose confirmations alone are new. */
const isOld = '(state IS NOT DISTINCT FROM reported_state)::integer';
/** Whether it is a deposit for a payment, and nothing else. */
const isOfPayment = `kind = 'deposit' AND target IS NULL
  AND EXISTS (SELECT FROM evm_addresses a WHERE a.address = evm_transfers.address AND a.owner_kind = 'payment')`;
const isDue = 'unreported AND (report_after IS NULL OR report_after <= $2)';

/** The transfers of a chain, by their address. Transfers with a new state go before those with only more confirmations. */
export function transferOutbox(chain: ChainConfig): Outbox<TransferRow> {
  return {
    fields: { chain: chain.id },
    async due(reader, now, atMost) {
      const { rows } = await reader.query<Group>(
        `SELECT address AS name, bool_and(${isOfPayment}) AND count(*) <= ${sharedRowsAtMost} AS "isShared"
         FROM evm_transfers WHERE chain_id = $1 AND ${isDue} GROUP BY address
         ORDER BY min(${isOld}), min(block_number), min(log_index) LIMIT $3`,
        [chain.id, now, atMost],
      );
      return rows;
    },
    async lock(tx, addresses, now, atMost) {
      const { rows } = await tx.query<TransferRow>(
        `SELECT block_hash, log_index, side, block_number, transaction, kind, asset, sender, owner_id, source, target, receiver,
           units, state, confirmations, ledger_id, least(block_at, seen_at) AS taken_at, reported_state, a.owner_kind, a.treasury,
           (SELECT json_build_object('integration', d.integration_id, 'merchant', d.merchant, 'host', d.host,
             'points', d.basis_points)
            FROM evm_direct_places d WHERE d.address = CASE
              WHEN t.kind <> 'move' THEN a.treasury WHEN source = 'direct' THEN sender ELSE receiver END) AS direct
         FROM evm_transfers t
           LEFT JOIN LATERAL (SELECT owner_kind, treasury FROM evm_addresses WHERE address = t.address LIMIT 1) a ON true
         WHERE chain_id = $1 AND ${isDue} AND address = ANY ($3)
         ORDER BY ${isOld}, block_number, log_index, side LIMIT $4 FOR UPDATE OF t`,
        [chain.id, now, addresses, atMost],
      );
      return rows;
    },
    reportsOf: async (_tx, row, now) => reportsOf(chain, row, now),
    async noteReported(tx, rows) {
      await tx.query(
        `UPDATE evm_transfers t SET reported_state = state, reported_confirmations = confirmations,
           report_faults = 0, report_after = NULL
         FROM unnest($2::text[], $3::integer[], $4::text[]) AS k (block_hash, log_index, side)
         WHERE t.chain_id = $1 AND t.block_hash = k.block_hash AND t.log_index = k.log_index AND t.side = k.side`,
        [
          chain.id,
          rows.map(({ block_hash }) => block_hash),
          rows.map(({ log_index }) => log_index),
          rows.map(({ side }) => side),
        ],
      );
    },
    async postpone(reader, { block_hash, log_index, side }, now) {
      await reader.query(
        `UPDATE evm_transfers SET ${postponeSql('$5')}
         WHERE chain_id = $1 AND block_hash = $2 AND log_index = $3 AND side = $4 AND unreported`,
        [chain.id, block_hash, log_index, side, now],
      );
    },
  };
}

function reportsOf(chain: ChainConfig, row: TransferRow, now: Date): Report[] {
  const { kind, owner_kind, owner_id: id, source, target, receiver } = row;
  if (source !== null && target !== null && receiver !== null) {
    return moveReports(chain, row, { from: source, to: target, receiver });
  }
  if (owner_kind === null || id === null) throw new Error(`The ${kind} ${row.transaction} is nobody's`);
  if (owner_kind === 'payment') {
    return [kind === 'deposit' ? depositReport(chain, row, id, now) : sweepReport(chain, row, id)];
  }
  if (kind === 'deposit') return arrivalReports(chain, row, { kind: owner_kind, id });
  // A sweep of an address that is not a payment's is a move: only sweeps of payments are kept with their payment.
  const to = target === 'vault' ? 'vault' : 'treasury';
  return [moveReport(chain, row, { from: 'addresses', to, receiver: row.treasury ?? '' })];
}

function bookedOf(
  chain: ChainConfig,
  { kind, ledger_id: ledgerId, transaction, asset, units, state }: TransferRow,
) {
  if (state === 'seen') throw new Error(`The ${kind} ${transaction} is reported before it is final`);
  return { rail: railOf(chain.id), ledgerId, transaction, asset, units, state };
}

type Ends = { from: WatchedPlace; to: WatchedPlace; receiver: string };

/** Of direct settlement the host's part may go to a treasury: then it is both. */
function moveReports(chain: ChainConfig, row: TransferRow, { from, to, receiver }: Ends): Report[] {
  if (from !== 'direct' && to !== 'direct') return [moveReport(chain, row, { from, to, receiver })];
  if (from === to) return [];
  const ends = { from: outsideOf(from), to: outsideOf(to), receiver };
  const direct: Report = { kind: 'direct', move: directMove(chain, row, receiver) };
  return ends.from === ends.to ? [direct] : [direct, moveReport(chain, row, ends)];
}

const outsideOf = (place: WatchedPlace): Place => (place === 'direct' ? 'operator' : place);

function directMove(chain: ChainConfig, row: TransferRow, receiver: string): DirectMove {
  const { direct, source, sender, taken_at: at } = row;
  if (!direct) throw new Error(`The move ${row.transaction} is of no splitter`);
  const { ledgerId: moveId, ...booked } = bookedOf(chain, row);
  const to = source !== 'direct' ? 'given' : receiver === direct.merchant ? 'merchant' : 'host';
  const block = smallNumber(row.block_number);
  return { ...booked, moveId, block, integrationId: direct.integration, to, sender, receiver, at };
}

function moveReport(
  chain: ChainConfig,
  row: TransferRow,
  ends: Pick<Move, 'from' | 'to' | 'receiver'>,
): Report {
  return { kind: 'move', move: { ...bookedOf(chain, row), ...ends, sender: row.sender, at: row.taken_at } };
}

function sweepReport(chain: ChainConfig, row: TransferRow, paymentId: string): Report {
  const to = row.direct ? 'direct' : row.target === 'vault' ? 'vault' : 'treasury';
  return { kind: 'sweep', sweep: { ...bookedOf(chain, row), paymentId, to } };
}

/** A deposit at a reusable address is reported when it is final: nobody waits for it before. */
function arrivalReports(chain: ChainConfig, row: TransferRow, owner: ReusableOwner): Report[] {
  const { ledger_id: ledgerId, transaction, asset, units, sender, state } = row;
  if (state === 'seen') return [];
  const shared = {
    rail: railOf(chain.id),
    key: keyOf(chain, row),
    ledgerId,
    owner,
    transaction,
    asset,
    units,
    sender,
  };
  return [{ kind: 'arrival', arrival: { ...shared, state, at: row.taken_at } }];
}

const keyOf = ({ id }: ChainConfig, row: Pick<TransferRow, 'block_hash' | 'log_index'>): string =>
  `${id}:${row.block_hash}:${row.log_index}`;

function depositReport(chain: ChainConfig, row: TransferRow, paymentId: string, now: Date): Report {
  const { transaction, asset, units, state, confirmations, sender, direct } = row;
  const { taken_at: takenAt, reported_state: reported } = row;
  return {
    kind: 'transfer',
    seen: {
      rail: railOf(chain.id),
      key: keyOf(chain, row),
      paymentId,
      transaction,
      asset,
      units,
      state,
      confirmations,
      needed: chain.confirmations,
      sender,
      takenAt,
      ...(direct && { direct: { merchant: direct.merchant, basisPoints: direct.points } }),
    },
    // The first report counts from the time when the chain took it, whatever happened since then.
    at: reported === null && takenAt < now ? takenAt : now,
    isBooked: state === 'final' || reported === 'final',
  };
}
