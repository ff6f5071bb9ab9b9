import { unitsOfNumber } from '../../../kit/money.ts';
import { piScale } from '../network.ts';

/** A payment as the Pi platform keeps it. */
export type PlatformPayment = {
  identifier: string;
  userUid: string;
  /** Null where its amount is none that the network can move. */
  units: bigint | null;
  /** The words that the customer is shown; on the chain its memo is the identifier. */
  memo: string;
  metadata: Record<string, unknown>;
  from: string;
  to: string;
  direction: 'user_to_app' | 'app_to_user';
  /** The passphrase of its network. */
  network: string;
  /** By us; then the customer can sign. */
  approved: boolean;
  /** By us: it is over. */
  completed: boolean;
  /** By us or by the customer. */
  cancelled: boolean;
  /** What the platform knows to be sent for it. */
  txid: string | null;
};

type Fields = Record<string, unknown>;

/** Reads what the platform answers of a payment; null where that is not one. */
export function readPlatformPayment(value: unknown): PlatformPayment | null {
  if (!isObject(value) || !isObject(value.status)) return null;
  const { status, transaction = null } = value;
  const texts = [value.identifier, value.user_uid, value.memo, value.from_address, value.to_address].map(text);
  const [identifier, userUid, memo, from, to] = texts;
  const flags = [status.developer_approved, status.developer_completed, status.cancelled, status.user_cancelled];
  if (!identifier || !userUid || memo === null || from === null || !to) return null;
  if (!flags.every((flag) => typeof flag === 'boolean')) return null;
  if (value.direction !== 'user_to_app' && value.direction !== 'app_to_user') return null;
  if (typeof value.network !== 'string') return null;
  const txid = transaction === null ? null : isObject(transaction) ? text(transaction.txid) : undefined;
  if (txid === undefined || (transaction !== null && txid === null)) return null;
  const units = unitsOfNumber(value.amount, piScale);
  const [approved, completed, cancelled, userCancelled] = flags;
  return {
    identifier,
    userUid,
    units: typeof units === 'bigint' ? units : null,
    memo,
    metadata: isObject(value.metadata) ? value.metadata : {},
    from,
    to,
    direction: value.direction,
    network: value.network,
    approved: approved!,
    completed: completed!,
    cancelled: cancelled! || userCancelled!,
    txid: txid?.toLowerCase() ?? null,
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
