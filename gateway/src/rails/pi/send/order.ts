import type { Tx } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { isLine } from '../../../kit/http/fields.ts';
import type { SendOrder } from '../../rail.ts';
import { isDestination } from '../horizon/account.ts';
import { type PiConfig, piCodeOf } from '../horizon/network.ts';

/** The custody account of one network. */
export type Place = Pick<PiConfig, 'passphrase' | 'account' | 'isTest'>;

/** An order that names its user in place of an address: the Pi platform names the destination and the memo. */
export type UserOrder = Omit<SendOrder, 'to' | 'memo'> & { uid: string };

/** The longest memo of the network, in bytes of UTF-8. */
const maxMemoBytes = 28;

type OrderRow = { units: bigint; destination: string | null; memo: string | null; user_uid: string | null };

/**
 * Queues an order in the caller's transaction; ordered twice it is queued once. Throws when its
 * address, memo or units are none, and when its id was used for another content.
 */
export async function orderSend(
  tx: Tx,
  place: Place,
  order: SendOrder | UserOrder,
  now: Date,
): Promise<void> {
  const { passphrase, account } = place;
  const fault = orderFault(place, order);
  if (fault) throw new Error(`Send ${order.id} ${fault}`);
  const [destination, memo, uid] = 'uid' in order ? [null, null, order.uid] : [order.to, order.memo, null];
  const { rowCount } = await tx.query(
    `INSERT INTO pi_sends (id, passphrase, account, units, destination, memo, user_uid, state, retry_at, created_at,
       looked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $8, $8) ON CONFLICT (id) DO NOTHING`,
    [order.id, passphrase, account, order.units, destination, memo, uid, now],
  );
  if (rowCount === 1) return;
  const found = await tx.query<OrderRow>(
    'SELECT units, destination, memo, user_uid FROM pi_sends WHERE id = $1',
    [order.id],
  );
  const known = oneRow(found, 'order of a send');
  const isSame =
    known.units === order.units &&
    known.user_uid === uid &&
    // For a user, destination and memo are filled in later.
    (uid !== null || (known.destination === destination && known.memo === memo));
  if (!isSame) throw new Error(`Send ${order.id} was ordered before with another content`);
}

function orderFault(place: Place, order: SendOrder | UserOrder): string | null {
  if (order.asset !== piCodeOf(place)) return `is of ${order.asset}`;
  if (order.units <= 0n) return 'is of nothing';
  if ('uid' in order) return order.uid === '' ? 'names no user' : null;
  if (!isDestination(order.to)) return 'goes to no address';
  const fault = order.memo === null ? null : memoFault(order.memo);
  return fault && `has a memo that ${fault}`;
}

/** Why PI cannot be sent to a destination; null: it can. */
export function piDestinationFault({ to, memo }: { to: string; memo: string | null }) {
  if (!isDestination(to)) {
    const why = 'is no address of Pi, which begins with G or M; look for a typing error';
    return { field: 'to', why } as const;
  }
  const why = memo === null ? null : memoFault(memo);
  return why === null ? null : ({ field: 'memo', why } as const);
}

/** Why a text cannot be a memo, as the end of a sentence about it; null: it can. */
function memoFault(memo: string): string | null {
  if (memo === '') return 'is empty';
  if (!isLine(memo)) return 'must be one line of text';
  return Buffer.byteLength(memo) > maxMemoBytes ? `is longer than the ${maxMemoBytes} bytes of a memo` : null;
}
