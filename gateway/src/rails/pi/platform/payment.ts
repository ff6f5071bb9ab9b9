import { isCleanText } from '../../../kit/http/fields.ts';
import { unitsOfNumber } from '../../../money/money.ts';
import { piScale } from '../horizon/network.ts';

/** A payment as the Pi platform keeps it. */
export type PlatformPayment = {
  identifier: string;
  userUid: string;
  /** Null where the network cannot move such an amount. */
  units: bigint | null;
  /** The words that the customer is shown; on the chain its memo is the identifier. */
  memo: string;
  metadata: Record<string, unknown>;
  /** The customer's account, where the platform names it. */
  from: string | null;
  to: string;
  direction: 'user_to_app' | 'app_to_user';
  /** The passphrase of its network. */
  network: string;
  /** We approved it: the customer can sign. */
  approved: boolean;
  /** We completed it: it has ended. */
  completed: boolean;
  /** We or the customer cancelled it. */
  cancelled: boolean;
  /** The transaction that the platform knows of. */
  txid: string | null;
};

/** Reads the platform's answer about a payment; null where it is not one. */
export function readPlatformPayment(value: unknown): PlatformPayment | null {
  if (!isObject(value) || !isObject(value.status)) return null;
  const { identifier, user_uid: userUid, memo, from_address: from, to_address: to } = value;
  const { direction, network, metadata, status } = value;
  const { developer_approved: approved, developer_completed: completed, cancelled, user_cancelled } = status;
  const txid = txidIn(value.transaction ?? null);
  const units = unitsOfNumber(value.amount, piScale);
  if (!isText(identifier) || !isText(userUid) || !isText(memo) || !isText(to)) return null;
  if (direction !== 'user_to_app' && direction !== 'app_to_user') return null;
  if (!isText(network) || txid === undefined) return null;
  if (!isFlag(approved) || !isFlag(completed) || !isFlag(cancelled) || !isFlag(user_cancelled)) return null;
  return {
    identifier,
    userUid,
    units: typeof units === 'bigint' ? units : null,
    memo,
    metadata: isObject(metadata) ? metadata : {},
    from: isText(from) ? from : null,
    to,
    direction,
    network,
    approved,
    completed,
    cancelled: cancelled || user_cancelled,
    txid,
  };
}

/** The id of a transaction; null: none; undefined: a malformed one. */
function txidIn(transaction: unknown): string | null | undefined {
  if (transaction === null) return null;
  const { txid } = isObject(transaction) ? transaction : {};
  return isText(txid) && /^[0-9a-f]{64}$/i.test(txid) ? txid.toLowerCase() : undefined;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string' && isCleanText(value);

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
