import { randomInt } from 'node:crypto';
import { unitsOfNumber } from '../../src/money/money.ts';
import { piScale } from '../../src/rails/pi/horizon/network.ts';

/** A payment as the Platform API shows it. */
export type PaymentDto = {
  /** 28 letters and digits: just what a text memo holds. */
  identifier: string;
  user_uid: string;
  amount: number;
  memo: string;
  metadata: object;
  from_address: string;
  to_address: string;
  direction: 'user_to_app' | 'app_to_user';
  created_at: string;
  /** The network's passphrase. */
  network: string;
  status: {
    developer_approved: boolean;
    transaction_verified: boolean;
    developer_completed: boolean;
    cancelled: boolean;
    user_cancelled: boolean;
  };
  transaction: null | { txid: string; verified: boolean; _link: string };
};

export type PaymentRequest = { amount: number; memo: string; metadata: object };

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const identifierLength = 28;

export function newIdentifier(): string {
  return Array.from({ length: identifierLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The amount in units of 10^-7 PI; throws where it is none. */
export function unitsOf({ amount }: Pick<PaymentDto, 'amount'>): bigint {
  const units = unitsOfNumber(amount, piScale);
  if (typeof units !== 'bigint') throw new Error(`${amount} is no amount of PI`);
  return units;
}

export function isCancelled({ status }: PaymentDto): boolean {
  return status.cancelled || status.user_cancelled;
}

/** Whether the platform still waits for somebody. */
export function isOpen(payment: PaymentDto): boolean {
  return !isCancelled(payment) && !payment.status.developer_completed;
}
