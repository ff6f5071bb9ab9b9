import type { PaymentDto, PaymentRequest } from './payment.ts';
import { newIdentifier, unitsOf } from './payment.ts';
import { notFound, Refusal } from './refusal.ts';
import type { PaymentStore } from './store.ts';
import type { PiUser, Users } from './users.ts';

/** What both sides of the platform work on. */
export type PlatformContext = {
  store: PaymentStore;
  users: Users;
  /** Address of a Horizon, without a slash at its end. */
  horizonUrl: string;
  passphrase: string;
  /** Whose payments these are: its name, its server key, and the account that it is paid to and pays from. */
  app: { name: string; key: string; account: string };
  now: () => Date;
};

export function paymentOf({ store }: PlatformContext, identifier: string): PaymentDto {
  const payment = store.get(identifier);
  if (!payment) throw notFound();
  return payment;
}

/** Makes a payment between a user and the app; throws `Refusal` where what it asks for is none. */
export function makePayment(
  { store, app, passphrase, now }: PlatformContext,
  user: PiUser,
  direction: PaymentDto['direction'],
  { amount, memo, metadata }: PaymentRequest,
): PaymentDto {
  const toApp = direction === 'user_to_app';
  const payment: PaymentDto = {
    identifier: newIdentifier(),
    user_uid: user.uid,
    amount,
    memo,
    metadata,
    from_address: toApp ? user.wallet.publicKey() : app.account,
    to_address: toApp ? app.account : user.wallet.publicKey(),
    direction,
    created_at: now().toISOString(),
    network: passphrase,
    status: {
      // What the app itself makes needs no approval of it.
      developer_approved: !toApp,
      transaction_verified: false,
      developer_completed: false,
      cancelled: false,
      user_cancelled: false,
    },
    transaction: null,
  };
  assertSound(payment);
  return store.put(payment);
}

function assertSound(payment: PaymentDto): void {
  try {
    unitsOf(payment);
  } catch (error) {
    throw new Refusal(400, 'invalid_amount', (error as Error).message);
  }
  if (typeof payment.memo !== 'string' || payment.memo === '')
    throw new Refusal(400, 'invalid_arguments', 'The payment has no memo.');
  if (typeof payment.metadata !== 'object' || payment.metadata === null)
    throw new Refusal(400, 'invalid_metadata', 'The metadata is not an object.');
}

/** The payment with other flags, kept. */
export function mark(
  { store }: PlatformContext,
  payment: PaymentDto,
  flags: Partial<PaymentDto['status']>,
): PaymentDto {
  return store.put({ ...payment, status: { ...payment.status, ...flags } });
}

/** The payment with its transaction, kept. */
export function link(
  { store, horizonUrl }: PlatformContext,
  payment: PaymentDto,
  txid: string,
  flags: Partial<PaymentDto['status']>,
): PaymentDto {
  const transaction = { txid, verified: true, _link: `${horizonUrl}/transactions/${txid}` };
  return store.put({ ...payment, transaction, status: { ...payment.status, ...flags } });
}
