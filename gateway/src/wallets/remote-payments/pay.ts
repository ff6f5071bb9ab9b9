import type { Logger } from 'pino';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { decimalOf } from '../../money/money.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import type { Payment } from '../../payments/payment/payment.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { linkPayment } from '../../payments/settlement/act.ts';
import { changePayments } from '../../payments/settlement/changes.ts';
import { lockPayment } from '../../payments/settlement/locks.ts';
import { raiseVersion } from '../../payments/settlement/moves.ts';
import { recordTransfers } from '../../payments/settlement/observe.ts';
import { missingUnits, sendableUnits, transfersOf } from '../../payments/settlement/received.ts';
import { walletErrors } from '../errors.ts';
import { nameOfShop } from '../pay.ts';
import {
  type Refused,
  type RemoteAuthorization,
  type RemoteWallets,
  walletsOutside,
} from '../remote-wallets.ts';
import {
  type Attempt,
  type AttemptState,
  beginAttempt,
  endCapture,
  lockOpen,
  moveAttempt,
} from './attempts.ts';

export type RemotePaymentDeps = StateDeps & {
  db: Database;
  log: Logger;
  remote: RemoteWallets;
  /** Whether a network of this gateway takes the asset. */
  isTaken: (asset: string) => boolean;
};

/** Who pays. The password goes to the other system alone. */
export type RemotePayer = { username: string; password: string };

/** Paying out of wallets in another system. */
export type RemotePayments = {
  /** Throws as `payRemotely` does. */
  pay(paymentId: string, payer: RemotePayer): Promise<PayOutcome>;
};

/**
 * What the customer can be told. `checking`: the amount was set aside and is being taken; `unanswered`: nothing was
 * taken, and what may have been set aside is released; `too_late`: the same, for the payment takes no money any more.
 */
export type PayOutcome = 'paid' | 'checking' | 'waiting' | 'unanswered' | 'too_late' | Refused;

/**
 * Pays what a payment still misses out of a wallet in another system: has it set aside there, commits the decision to
 * take it, and takes it (docs/wallet-backend.md). No transaction is open during a call. Throws `not_possible` in a status
 * that takes none, and `wallet_asked` while another wallet is asked for the same payment.
 */
export async function payRemotely(
  deps: RemotePaymentDeps,
  paymentId: string,
  payer: RemotePayer,
): Promise<PayOutcome> {
  const asked = await transaction(deps.db, (tx) => begin(tx, deps, paymentId, payer));
  const attempt = { id: asked.id, paymentId };
  const outcome = await deps.remote.authorize(asked);
  switch (outcome.is) {
    case 'authorized':
      return await take(deps, attempt, outcome.asset, payer.username);
    case 'waiting':
      return (await moveOn(deps, attempt, 'waiting', payer.username)) ? 'waiting' : 'unanswered';
    case 'unknown':
      await moveOn(deps, attempt, 'voiding');
      return 'unanswered';
    case 'not_sent':
      await moveOn(deps, attempt, 'voided');
      return 'unanswered';
    default:
      await moveOn(deps, attempt, 'refused');
      return outcome.is;
  }
}

async function begin(
  tx: Tx,
  deps: RemotePaymentDeps,
  paymentId: string,
  payer: RemotePayer,
): Promise<RemoteAuthorization> {
  const { assets } = deps;
  const now = deps.now();
  const payment = await linkPayment(tx, deps, paymentId, 'wallet');
  const missing = missingUnits(assets, payment, await transfersOf(tx, paymentId));
  if (!takesMoney(payment, now) || missing === 0n)
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  const id = newId(now);
  const choices = choicesOf(deps, payment).map(({ code: asset, scale }) => {
    return { asset, amount: decimalOf(sendableUnits(missing, scale), scale) };
  });
  const asked = { id, paymentId, missing, assets: choices.map(({ asset }) => asset) };
  if (!(await beginAttempt(tx, asked, now))) throw refuse(walletErrors.wallet_asked);
  const merchant = await nameOfShop(tx, payment);
  return { id, ...payer, mode: payment.mode, payment: payment.reference, merchant, choices };
}

const takesMoney = ({ status, deadline }: Payment, now: Date): boolean =>
  status === 'linked' && now < deadline;

/** The assets that may be taken, the default first: in live mode those that this gateway can pay out again. */
function choicesOf({ assets, isTaken }: RemotePaymentDeps, { currency, mode }: Payment) {
  const offered = assets.offered(currency);
  const taken = mode === 'live' ? offered.filter(({ code }) => isTaken(code)) : offered;
  const choices = taken.length > 0 ? taken : offered;
  const preferred = assets.defaultOf(currency).code;
  const [first, others] = [true, false].map((is) =>
    choices.filter(({ code }) => (code === preferred) === is),
  );
  return [...(first ?? []), ...(others ?? [])];
}

/** Takes what was set aside, or releases it where the payment takes no money any more. */
export async function take(
  deps: RemotePaymentDeps,
  attempt: Attempt,
  asset: string,
  username: string | null,
): Promise<PayOutcome> {
  const decided = await transaction(deps.db, (tx) => decide(tx, deps, attempt, asset, username));
  if (decided === 'capturing') return await capture(deps, attempt, 0);
  // Only who decided to release it may do so: another process may have decided to take it.
  if (decided !== 'decided before') await release(deps, attempt, 0);
  return decided === 'too_late' ? decided : 'unanswered';
}

/**
 * Decides once whether an attempt is taken or released. From then on the payment is pending: nobody cancels it, and its
 * deadline does not end it.
 */
async function decide(
  tx: Tx,
  deps: RemotePaymentDeps,
  { id, paymentId }: Attempt,
  asset: string,
  username: string | null,
): Promise<'capturing' | 'decided before' | 'too_late' | 'no choice'> {
  const now = deps.now();
  const payment = await lockPayment(tx, paymentId);
  const open = await lockOpen(tx, id);
  if (!open) return 'decided before';
  const from: AttemptState[] = ['asked', 'waiting'];
  const isChoice = open.assets.includes(asset);
  if (!isChoice || !takesMoney(payment, now)) {
    await moveAttempt(tx, id, { from, to: 'voiding', isCalled: true }, now);
    return isChoice ? 'too_late' : 'no choice';
  }
  const units = sendableUnits(open.missing, deps.assets.get(asset).scale);
  await moveAttempt(tx, id, { from, to: 'capturing', isCalled: true, username, asset, units }, now);
  await recordTransfers(tx, deps, [reportOf({ id, paymentId }, { asset, units }, 'seen', now)]);
  return 'capturing';
}

/** Takes an attempt that was decided to be taken, as often as it needs. */
export async function capture(
  deps: RemotePaymentDeps,
  attempt: Attempt,
  tries: number,
): Promise<'paid' | 'checking'> {
  const outcome = await deps.remote.capture(attempt.id);
  if (outcome === 'unknown') {
    complain(deps, attempt, tries, 'whether a payment was taken out of a wallet');
    return 'checking';
  }
  const isTaken = outcome === 'captured';
  await transaction(deps.db, async (tx) => {
    const now = deps.now();
    await lockPayment(tx, attempt.paymentId);
    const money = await endCapture(tx, attempt.id, isTaken ? 'captured' : 'lost', now);
    if (money) await recordTransfers(tx, deps, [reportOf(attempt, money, isTaken ? 'final' : 'gone', now)]);
  });
  if (!isTaken)
    deps.log.error({ authorization: attempt.id }, 'the wallet backend lost what it had set aside');
  return isTaken ? 'paid' : 'checking';
}

/** Releases an attempt that was decided to be released, as often as it needs. */
export async function release(deps: RemotePaymentDeps, attempt: Attempt, tries: number): Promise<void> {
  const outcome = await deps.remote.void(attempt.id);
  if (outcome === 'voided') await moveOn(deps, attempt, 'voided', null, ['voiding']);
  else complain(deps, attempt, tries, 'that it released what it may have set aside');
}

/** Says once that the other system gives no definite answer. */
function complain({ log }: RemotePaymentDeps, { id }: Attempt, tries: number, what: string): void {
  if (tries === 5) log.error({ authorization: id }, `the wallet backend does not say ${what}`);
}

/** Moves an open attempt on, and shows it on the payment's page; false where it is no longer open. */
export async function moveOn(
  deps: RemotePaymentDeps,
  { id, paymentId }: Attempt,
  to: AttemptState,
  username: string | null = null,
  from: AttemptState[] = ['asked', 'waiting'],
): Promise<boolean> {
  return await transaction(deps.db, async (tx) => {
    return await changePayments(tx, deps, [paymentId], async (changes) => {
      const isMoved = await moveAttempt(tx, id, { from, to, username }, deps.now());
      if (isMoved) raiseVersion(changes, paymentId);
      return isMoved;
    });
  });
}

function reportOf(
  { id, paymentId }: Attempt,
  { asset, units }: { asset: string; units: bigint },
  state: 'seen' | 'final' | 'gone',
  at: Date,
) {
  const confirmations = state === 'final' ? 1 : 0;
  const transfer = { rail: 'wallet', key: id, paymentId, transaction: id, confirmations, needed: 1 };
  return { seen: { ...transfer, asset, units, state }, at, source: walletsOutside };
}
