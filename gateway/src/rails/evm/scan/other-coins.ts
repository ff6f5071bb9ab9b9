import type { Reader } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import type { Hex } from '../config/chains.ts';
import { numberOf } from '../rpc/block.ts';
import { nativeCoin } from '../send/words.ts';
import { rawTransfers, transferOf, transferTopic } from './blocks/logs.ts';

/** A coin or token that came to an address and is not taken; `place` 0: the native coin, else which log of the receipt. */
export type OtherCoin = { place: number; token: Hex; address: Hex; units: bigint; blockNumber: bigint };

/** At most this many are listed of one transaction: anybody can make a token that writes any number of logs. */
const listedAtMost = 10;

type Mined = { transaction: unknown; logs: unknown; blockNumber: bigint };

/** What a mined transaction sent to these addresses: the native coin, and tokens by their own logs. */
export function otherCoinsIn(
  { transaction, logs, blockNumber }: Mined,
  addresses: ReadonlySet<string>,
): OtherCoin[] {
  const found = Array.isArray(logs) ? (logs as unknown[]) : [];
  const tokens = found.filter(isTransfer).flatMap((log): OtherCoin[] => {
    const listed = [{ address: `${log.address}`.toLowerCase() as Hex }];
    return rawTransfers([[log]], listed).flatMap((raw): OtherCoin[] => {
      const transfer = addresses.has(raw.to) ? transferOf(raw) : null;
      if (!transfer) return [];
      const { token, to: address, units } = transfer;
      return [{ place: found.indexOf(log) + 1, token, address, units, blockNumber }];
    });
  });
  return [...nativeIn(transaction, addresses, blockNumber), ...tokens].slice(0, listedAtMost);
}

function nativeIn(transaction: unknown, addresses: ReadonlySet<string>, blockNumber: bigint): OtherCoin[] {
  const { to, value } = (transaction ?? {}) as Record<string, unknown>;
  const address = `${to}`.toLowerCase() as Hex;
  if (!addresses.has(address) || numberOf(value) === 0n) return [];
  return [{ place: 0, token: nativeCoin, address, units: numberOf(value), blockNumber }];
}

/** Whether a log has the form of a transfer of units. A log of another form is no transfer: its token is not configured. */
function isTransfer(log: unknown): log is Record<string, unknown> {
  const { address, topics, data } = (log ?? {}) as Record<string, unknown>;
  return (
    /^0x[0-9a-fA-F]{40}$/.test(`${address}`) &&
    Array.isArray(topics) &&
    topics.length === 3 &&
    `${topics[0]}`.toLowerCase() === transferTopic &&
    topics.slice(1).every((party) => /^0x0{24}[0-9a-fA-F]{40}$/.test(`${party}`)) &&
    /^0x[0-9a-fA-F]{64}$/.test(`${data}`)
  );
}

/** Keeps them for operators, each once; the newest reading counts. */
export async function noteOtherCoins(
  reader: Reader,
  { chainId, transaction }: { chainId: number; transaction: string },
  coins: readonly OtherCoin[],
  now: Date,
): Promise<void> {
  const rows = coins.map(({ place, token, address, units, blockNumber }) => {
    return { id: newId(now), place, token, address, units: `${units}`, block_number: `${blockNumber}` };
  });
  await reader.query(
    `INSERT INTO evm_other_coins (id, chain_id, transaction, place, address, token, units, block_number, found_at)
     SELECT id, $1, $2, place, address, token, units, block_number, $4
     FROM json_to_recordset($3)
       AS t(id uuid, place integer, address text, token text, units numeric, block_number bigint)
     ON CONFLICT (chain_id, transaction, place, address) DO UPDATE
     SET token = excluded.token, units = excluded.units, block_number = excluded.block_number`,
    [chainId, transaction, JSON.stringify(rows), now],
  );
}
