import type { Reader, Tx } from '../../../../kit/db/db.ts';
import { newId } from '../../../../kit/ids.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import { keyOf, type OurTransfer, sideOf, type TransferKey } from './match.ts';

/**
 * A transfer as it was noted, with the units of its log. One that an old version noted has the time at which it was
 * seen.
 */
export type NotedTransfer = OurTransfer & { state: 'seen' | 'final'; hasBlockTime: boolean };

/** Transfers that were noted without the time of their block get it from what was read now. */
export function withBlockTimes(
  noted: readonly NotedTransfer[],
  read: readonly OurTransfer[],
): NotedTransfer[] {
  if (noted.every(({ hasBlockTime }) => hasBlockTime)) return [...noted];
  const times = new Map(read.map((each) => [keyOf(each), each.blockAt]));
  return noted.map((each) =>
    each.hasBlockTime ? each : { ...each, blockAt: times.get(keyOf(each)) ?? each.blockAt },
  );
}

/**
 * Notes transfers as seen, and returns how many. One that is noted already stays as it is, unless it had gone: then its
 * block is back, or two endpoints agreed on another content. A booked transfer gets another content, and any transfer
 * another owner, only after it was reported as gone; for the ledger it is then another transfer.
 */
export async function noteSeen(
  tx: Tx,
  chain: ChainConfig,
  transfers: readonly OurTransfer[],
  { head, now }: { head: bigint; now: Date },
): Promise<number> {
  if (transfers.length === 0) return 0;
  const assets = new Map(chain.tokens.map(({ address, asset }) => [address, asset]));
  const rows = transfers.map((each) => ({
    block_hash: each.blockHash,
    log_index: each.logIndex,
    side: sideOf(each),
    block_number: `${each.blockNumber}`,
    transaction: each.transaction,
    kind: each.kind,
    asset: assets.get(each.token),
    token: each.token,
    sender: each.sender,
    address: each.address,
    owner_id: each.ownerId,
    source: each.source,
    target: each.target,
    receiver: each.receiver,
    units: `${each.units}`,
    block_at: each.blockAt,
    ledger_id: newId(now),
  }));
  const { rowCount } = await tx.query(
    `INSERT INTO evm_transfers AS t (chain_id, block_hash, log_index, side, block_number, transaction, kind, asset,
       token, sender, address, owner_id, source, target, receiver, units, block_at, state, confirmations, ledger_id,
       seen_at)
     SELECT $1, block_hash, log_index, side, block_number, transaction, kind, asset, token, sender, address,
       owner_id, source, target, receiver, units, block_at, 'seen', ${confirmationsOf('r.block_number', '$3', '$4')}, ledger_id, $5
     FROM json_to_recordset($2) AS r(block_hash text, log_index integer, side text, block_number bigint,
       transaction text, kind text, asset text, token text, sender text, address text, owner_id uuid, source text,
       target text, receiver text, units numeric, block_at timestamptz, ledger_id uuid)
     ORDER BY block_hash, log_index, side
     ON CONFLICT (chain_id, block_hash, log_index, side) DO UPDATE SET state = 'seen',
       confirmations = excluded.confirmations, transaction = excluded.transaction, kind = excluded.kind,
       asset = excluded.asset, token = excluded.token, sender = excluded.sender, address = excluded.address,
       owner_id = excluded.owner_id, source = excluded.source,
       target = excluded.target, receiver = excluded.receiver, units = excluded.units, block_at = excluded.block_at,
       logged_units = NULL, lacking_since = NULL,
       ledger_id = CASE WHEN ${isSameContent} THEN t.ledger_id ELSE excluded.ledger_id END
     WHERE t.state = 'gone' AND (coalesce(t.reported_state, 'gone') = 'gone' OR (t.reported_state = 'seen'
       AND t.kind = excluded.kind AND t.owner_id IS NOT DISTINCT FROM excluded.owner_id) OR ${isSameContent})`,
    [chain.id, JSON.stringify(rows), `${head}`, chain.confirmations, now],
  );
  return rowCount ?? 0;
}

/** Whether the row `t` of a log has the content that is read now. */
const isSameContent = `(t.transaction, t.kind, t.token, t.sender, t.address, t.owner_id, t.source, t.target, t.receiver,
    coalesce(t.logged_units, t.units))
  IS NOT DISTINCT FROM (excluded.transaction, excluded.kind, excluded.token, excluded.sender, excluded.address,
    excluded.owner_id, excluded.source, excluded.target, excluded.receiver, excluded.units)`;

/** The shown confirmations: until the transfer is final, at most one less than are needed. */
const confirmationsOf = (block: string, head: string, needed: string): string =>
  `least(${needed}::bigint - 1, greatest(${head}::bigint - ${block} + 1, 0))`;

/** Counts the confirmations of seen transfers, up to a new head. */
export async function countConfirmations(
  tx: Tx,
  { id, confirmations: needed }: ChainConfig,
  head: bigint,
): Promise<void> {
  const shown = confirmationsOf('block_number', '$2', '$3');
  // A transfer with the most that can be shown is not updated until it is final.
  await tx.query(
    `UPDATE evm_transfers SET confirmations = ${shown}
     WHERE chain_id = $1 AND state = 'seen' AND confirmations < $3::bigint - 1 AND confirmations < ${shown}`,
    [id, `${head}`, needed],
  );
}

type Row = {
  block_hash: Hex;
  log_index: number;
  block_number: bigint;
  transaction: Hex;
  kind: OurTransfer['kind'];
  token: Hex;
  sender: Hex;
  address: Hex;
  owner_id: string | null;
  source: OurTransfer['source'];
  target: OurTransfer['target'];
  receiver: Hex | null;
  units: bigint;
  block_at: Date | null;
  seen_at: Date;
  state: NotedTransfer['state'];
};

/** The noted transfers of the blocks after `after` up to `to` that have not gone. */
export async function notedBetween(
  reader: Reader,
  chainId: number,
  after: bigint,
  to: bigint,
): Promise<NotedTransfer[]> {
  const { rows } = await reader.query<Row>(
    `SELECT block_hash, log_index, block_number, transaction, kind, token, sender, address, owner_id, source,
       target, receiver, coalesce(logged_units, units) AS units, state, block_at, seen_at
     FROM evm_transfers WHERE chain_id = $1 AND block_number > $2 AND block_number <= $3 AND state <> 'gone'
     ORDER BY block_number, log_index, side`,
    [chainId, after, to],
  );
  return rows.map((row) => ({
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    logIndex: row.log_index,
    transaction: row.transaction,
    token: row.token,
    sender: row.sender,
    units: row.units,
    kind: row.kind,
    address: row.address,
    ownerId: row.owner_id,
    source: row.source,
    target: row.target,
    receiver: row.receiver,
    blockAt: row.block_at ?? row.seen_at,
    hasBlockTime: row.block_at !== null,
    state: row.state,
  }));
}

/** Marks seen transfers as final, each with the units that count. */
export async function markFinal(
  tx: Tx,
  { id, confirmations }: ChainConfig,
  credits: readonly { transfer: TransferKey; units: bigint }[],
): Promise<void> {
  if (credits.length === 0) return;
  const keys = keysOf(credits.map(({ transfer }) => transfer));
  await tx.query(
    `UPDATE evm_transfers t SET state = 'final', confirmations = $2, units = k.units, lacking_since = NULL,
       logged_units = CASE WHEN k.units < t.units THEN t.units END
     FROM unnest($3::text[], $4::integer[], $5::text[], $6::numeric[]) AS k (block_hash, log_index, side, units)
     WHERE ${isOfKey} AND t.state = 'seen'`,
    [id, confirmations, ...keys, credits.map(({ units }) => `${units}`)],
  );
}

/** Marks transfers as gone. */
export async function markGone(tx: Tx, chainId: number, keys: readonly TransferKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `UPDATE evm_transfers t SET state = 'gone', confirmations = 0
     FROM unnest($2::text[], $3::integer[], $4::text[]) AS k (block_hash, log_index, side) WHERE ${isOfKey}`,
    [chainId, ...keysOf(keys)],
  );
}

/** Notes since when endpoints, or a single one, have said that addresses do not hold these transfers. */
export async function noteLacking(
  tx: Tx,
  chainId: number,
  keys: readonly TransferKey[],
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `UPDATE evm_transfers t SET lacking_since = $5
     FROM unnest($2::text[], $3::integer[], $4::text[]) AS k (block_hash, log_index, side)
     WHERE ${isOfKey} AND t.lacking_since IS NULL`,
    [chainId, ...keysOf(keys), now],
  );
}

/** Since when transfers have been lacking, by `keyOf`; one that has gone for this reason still is. */
export async function lackingSince(
  reader: Reader,
  chainId: number,
  keys: readonly TransferKey[],
): Promise<Map<string, Date>> {
  const { rows } = await reader.query<TransferKey & { since: Date }>(
    `SELECT t.block_hash AS "blockHash", t.log_index AS "logIndex", t.kind, t.lacking_since AS since
     FROM unnest($2::text[], $3::integer[], $4::text[]) AS k (block_hash, log_index, side)
     JOIN evm_transfers t ON ${isOfKey}
     WHERE t.lacking_since IS NOT NULL`,
    [chainId, ...keysOf(keys)],
  );
  return new Map(rows.map((row) => [keyOf(row), row.since]));
}

/** The columns of keys, as `isOfKey` compares them. */
function keysOf(keys: readonly TransferKey[]): [Hex[], number[], string[]] {
  return [keys.map(({ blockHash }) => blockHash), keys.map(({ logIndex }) => logIndex), keys.map(sideOf)];
}

/** Whether a row `t` of the chain `$1` is the transfer of a key `k`. */
const isOfKey =
  't.chain_id = $1 AND t.block_hash = k.block_hash AND t.log_index = k.log_index AND t.side = k.side';
