import type { Logger } from 'pino';
import { getIntegration } from '../../identity/integration.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { decimalOf } from '../../money/money.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import { type ChargedPayment, chargedOf, type Payment } from '../../payments/payment/payment.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { linkPayment } from '../../payments/settlement/act.ts';
import { changePayments } from '../../payments/settlement/changes.ts';
import { lockPayment } from '../../payments/settlement/locks.ts';
import { raiseVersion } from '../../payments/settlement/moves.ts';
import { recordTransfers } from '../../payments/settlement/observe.ts';
import { missingUnits, sendableUnits, transfersOf } from '../../payments/settlement/received.ts';
import { walletErrors } from '../errors.ts';
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
  lockOpenAttempt,
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
      return await captureOrRelease(deps, attempt, outcome.asset, payer.username);
    case 'waiting':
      return (await moveOn(deps, attempt, { to: 'waiting', username: payer.username }))
        ? 'waiting'
        : 'unanswered';
    case 'unknown':
      await moveOn(deps, attempt, { to: 'voiding' });
      return 'unanswered';
    case 'not_sent':
      await moveOn(deps, attempt, { to: 'voided' });
      return 'unanswered';
    default:
      await moveOn(deps, attempt, { to: 'refused' });
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
  const payment = chargedOf(await linkPayment(tx, deps, paymentId, 'wallet'));
  const missing = missingUnits(assets, payment, await transfersOf(tx, paymentId));
  if (!acceptsMoney(payment, now) || missing === 0n)
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  const id = newId(now);
  const choices = choicesOf(deps, payment).map(({ code: asset, scale }) => {
    return { asset, amount: decimalOf(sendableUnits(missing, scale), scale) };
  });
  const asked = { id, paymentId, missing, assets: choices.map(({ asset }) => asset) };
  if (!(await beginAttempt(tx, asked, now))) throw refuse(walletErrors.wallet_asked);
  const { name: merchant } = await getIntegration(tx, payment.integrationId);
  return { id, ...payer, mode: payment.mode, payment: payment.reference, merchant, choices };
}

const acceptsMoney = ({ status, deadline }: Payment, now: Date): boolean =>
  status === 'linked' && now < deadline;

/** The assets that a wallet may pay in, the default first; in live mode those that this gateway can pay out again. */
function choicesOf({ assets, isTaken }: RemotePaymentDeps, { currency, mode }: ChargedPayment) {
  const offered = assets.of(mode).offered(currency);
  const accepted = mode === 'live' ? offered.filter(({ code }) => isTaken(code)) : offered;
  const choices = accepted.length > 0 ? accepted : offered;
  const preferred = assets.defaultOf(currency).code;
  const isPreferred = ({ code }: { code: string }): boolean => code === preferred;
  return [...choices.filter(isPreferred), ...choices.filter((asset) => !isPreferred(asset))];
}

/** Captures what was authorized, or releases it if the payment accepts no money any more. */
export async function captureOrRelease(
  deps: RemotePaymentDeps,
  attempt: Attempt,
  asset: string,
  username: string | null,
): Promise<PayOutcome> {
  const decided = await transaction(deps.db, (tx) => decideCapture(tx, deps, attempt, { asset, username }));
  if (decided === 'capturing') return await capture(deps, attempt, 0);
  // Only the process that decided to release it does so: another one may have decided to capture it.
  if (decided !== 'decided before') await release(deps, attempt, 0);
  return decided === 'too_late' ? decided : 'unanswered';
}

/**
 * Decides once whether an attempt is captured or released. While it is captured the payment is pending: nobody cancels it,
 * and its deadline does not end it.
 */
async function decideCapture(
  tx: Tx,
  deps: RemotePaymentDeps,
  { id, paymentId }: Attempt,
  { asset, username }: { asset: string; username: string | null },
): Promise<'capturing' | 'decided before' | 'too_late' | 'no choice'> {
  const now = deps.now();
  const payment = await lockPayment(tx, paymentId);
  const open = await lockOpenAttempt(tx, id);
  if (!open) return 'decided before';
  const from: AttemptState[] = ['asked', 'waiting'];
  const isChoice = open.assets.includes(asset);
  if (!isChoice || !acceptsMoney(payment, now)) {
    await moveAttempt(tx, id, { from, to: 'voiding', isCalled: true }, now);
    return isChoice ? 'too_late' : 'no choice';
  }
  const units = sendableUnits(open.missing, deps.assets.get(asset).scale);
  await moveAttempt(tx, id, { from, to: 'capturing', isCalled: true, username, asset, units }, now);
  await recordTransfers(tx, deps, [reportOf({ id, paymentId }, { asset, units }, 'seen', now)]);
  return 'capturing';
}

/** Captures an attempt for which that was decided; repeated until the answer is definite. */
export async function capture(
  deps: RemotePaymentDeps,
  attempt: Attempt,
  tries: number,
): Promise<'paid' | 'checking'> {
  const outcome = await deps.remote.capture(attempt.id);
  if (outcome === 'unknown') {
    logUnanswered(deps, attempt, tries, 'whether a payment was taken out of a wallet');
    return 'checking';
  }
  const isCaptured = outcome === 'captured';
  await transaction(deps.db, async (tx) => {
    const now = deps.now();
    await lockPayment(tx, attempt.paymentId);
    const money = await endCapture(tx, attempt.id, isCaptured ? 'captured' : 'lost', now);
    if (money)
      await recordTransfers(tx, deps, [reportOf(attempt, money, isCaptured ? 'final' : 'gone', now)]);
  });
  if (!isCaptured)
    deps.log.error({ authorization: attempt.id }, 'the wallet backend lost what it had set aside');
  return isCaptured ? 'paid' : 'checking';
}

/** Releases an attempt for which that was decided; repeated until the answer is definite. */
export async function release(deps: RemotePaymentDeps, attempt: Attempt, tries: number): Promise<void> {
  const outcome = await deps.remote.void(attempt.id);
  if (outcome === 'voided') await moveOn(deps, attempt, { to: 'voided', from: ['voiding'] });
  else logUnanswered(deps, attempt, tries, 'that it released what it may have set aside');
}

/** Logs, once for each attempt, that the other system gives no definite answer. */
function logUnanswered({ log }: RemotePaymentDeps, { id }: Attempt, tries: number, what: string): void {
  if (tries === 5) log.error({ authorization: id }, `the wallet backend does not say ${what}`);
}

type NextState = { to: AttemptState; from?: AttemptState[]; username?: string | null };

/** Moves an open attempt on, and shows it on the payment's page; false where it is no longer open. */
export async function moveOn(
  deps: RemotePaymentDeps,
  { id, paymentId }: Attempt,
  { to, from = ['asked', 'waiting'], username = null }: NextState,
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
