import { Asset, BASE_FEE, Horizon, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { decimalOf } from '../../src/money/money.ts';
import { piScale } from '../../src/rails/pi/horizon/network.ts';
import { link, makePayment, mark, type PlatformContext, paymentOf } from './context.ts';
import { isOpen, type PaymentDto, type PaymentRequest, unitsOf } from './payment.ts';
import { Refusal } from './refusal.ts';
import type { PiUser } from './users.ts';

const validSeconds = 180;

/** What the Pi app does for its user. */
export type UserSide = {
  /** A payment to the app that waits for its end: the SDK tells of it before anything else. */
  incompleteOf(user: PiUser): PaymentDto | undefined;
  /**
   * Begins a payment to the app. An earlier one without a transaction is cancelled; one that has been paid stands in
   * the way until the app has completed it.
   */
  create(user: PiUser, request: PaymentRequest): PaymentDto;
  /** Signs and submits what was approved; the payment with its transaction. */
  submit(user: PiUser, identifier: string): Promise<PaymentDto>;
  cancel(user: PiUser, identifier: string): PaymentDto;
  /** What ends a payment when the wallet cannot go on. */
  fail(user: PiUser, identifier: string): PaymentDto;
  get(user: PiUser, identifier: string): PaymentDto;
};

export function createUserSide(context: PlatformContext): UserSide {
  const openOf = (user: PiUser): PaymentDto[] =>
    context.store
      .all()
      .filter(
        (payment) => payment.direction === 'user_to_app' && payment.user_uid === user.uid && isOpen(payment),
      );
  const underWay = new Set<string>();
  const own = (user: PiUser, identifier: string): PaymentDto => {
    const payment = paymentOf(context, identifier);
    if (payment.user_uid !== user.uid) throw new Refusal(403, 'forbidden', 'It is the payment of another.');
    return payment;
  };
  const unpaid = (user: PiUser, identifier: string): PaymentDto => {
    const payment = own(user, identifier);
    if (!isOpen(payment)) throw new Refusal(400, 'cancelled_payment', 'The payment has ended.', { payment });
    if (payment.transaction) throw new Refusal(400, 'payment_tx_present', 'The payment was paid before.');
    return payment;
  };
  return {
    incompleteOf: (user) =>
      openOf(user).find(({ transaction, status }) => transaction || status.developer_approved),
    create(user, request) {
      const earlier = openOf(user);
      const payment = earlier.find(({ transaction }) => transaction);
      if (payment)
        throw new Refusal(400, 'ongoing_payment_found', 'A pending payment needs to be handled.', {
          payment,
        });
      const made = makePayment(context, user, 'user_to_app', request);
      for (const each of earlier) mark(context, each, { cancelled: true });
      return made;
    },
    async submit(user, identifier) {
      const payment = unpaid(user, identifier);
      if (!payment.status.developer_approved)
        throw new Refusal(400, 'not_verified', 'The app has not approved the payment.');
      if (underWay.has(identifier))
        throw new Refusal(400, 'payment_tx_present', 'The payment is being paid.');
      underWay.add(identifier);
      const txid = await pay(context, user, payment).finally(() => underWay.delete(identifier));
      // The app may have completed it meanwhile: it sees the network for itself.
      return link(context, own(user, identifier), txid, { transaction_verified: true });
    },
    cancel: (user, identifier) => mark(context, unpaid(user, identifier), { user_cancelled: true }),
    fail: (user, identifier) => mark(context, unpaid(user, identifier), { cancelled: true }),
    get: own,
  };
}

/** Sends what a payment asks for, with its identifier as memo; the hash of the transaction. */
async function pay(
  { horizonUrl, passphrase, now }: PlatformContext,
  { wallet }: PiUser,
  payment: PaymentDto,
): Promise<string> {
  const server = new Horizon.Server(horizonUrl, { allowHttp: true });
  const [account, fees] = await Promise.all([server.loadAccount(wallet.publicKey()), server.feeStats()]);
  const fee = fees.last_ledger_base_fee || BASE_FEE;
  const transaction = new TransactionBuilder(account, { fee, networkPassphrase: passphrase })
    .addOperation(
      Operation.payment({
        destination: payment.to_address,
        asset: Asset.native(),
        amount: decimalOf(unitsOf(payment), piScale),
      }),
    )
    .addMemo(Memo.text(payment.identifier))
    .setTimebounds(0, Math.floor(now().getTime() / 1000) + validSeconds)
    .build();
  transaction.sign(wallet);
  return (await server.submitTransaction(transaction)).hash;
}
