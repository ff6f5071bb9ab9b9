import { type Choice, openOverlay } from './overlay.ts';
import { ask, home, type Payment, PlatformProblem, type Session } from './talk.ts';

type IncompleteCallback = (payment: Payment) => void;
type PaymentRequest = { amount: number; memo: string; metadata: object };
type Callbacks = {
  onReadyForServerApproval(identifier: string): void;
  onReadyForServerCompletion(identifier: string, txid: string): void;
  onCancel(identifier: string): void;
  onError(error: Error, payment?: Payment): void;
};
/** What tests set before the script is loaded; its address may say the same. */
type Simulation = { intervalMs?: number; approvalMs?: number; username?: string };

const simulation: Simulation = Reflect.get(window, 'piSimulation') ?? {};
/** How often a callback is repeated until the server has acted. */
const intervalMs = simulation.intervalMs ?? Number.parseInt(home.searchParams.get('interval') ?? '10000', 10);
const username = simulation.username ?? home.searchParams.get('user');
const pollMs = Math.min(500, intervalMs);
/** How long the wallet waits for the shop's approval. */
const approvalMs = simulation.approvalMs ?? 60_000;

let ready = false;
let session: Session | null = null;
let scopes: string[] = [];
let onIncomplete: IncompleteCallback = () => {};

function init({ version }: { version: string; sandbox?: boolean }): void {
  if (version !== '2.0') throw new Error(`Pi SDK: there is no version ${version}.`);
  ready = true;
}

async function authenticate(
  asked: string[],
  onIncompletePaymentFound: IncompleteCallback,
): Promise<Pick<Session, 'accessToken' | 'user'>> {
  if (!ready) throw new Error('Pi SDK: call init() before anything else.');
  session = await ask<Session>('POST', 'authenticate', { body: username === null ? {} : { username } });
  scopes = asked;
  onIncomplete = onIncompletePaymentFound;
  const { accessToken, user, incomplete } = session;
  if (incomplete) onIncomplete(incomplete);
  return { accessToken, user: scopes.includes('username') ? user : { uid: user.uid, username: '' } };
}

function createPayment(request: PaymentRequest, callbacks: Callbacks): void {
  if (!session || !scopes.includes('payments'))
    throw new Error('Pi SDK: a payment needs the scope "payments".');
  void begin(session, request, callbacks);
}

async function begin(session: Session, body: PaymentRequest, callbacks: Callbacks): Promise<void> {
  try {
    const payment = await ask<Payment>('POST', 'payments', { token: session.accessToken, body });
    await carryOut(session, payment, callbacks);
  } catch (error) {
    const { payment } = error as Partial<PlatformProblem>;
    callbacks.onError(error as Error, payment);
    if (payment && error instanceof PlatformProblem && error.slug === 'ongoing_payment_found')
      onIncomplete(payment);
  }
}

/** One payment from the shop's approval to its completion. */
async function carryOut(session: Session, created: Payment, callbacks: Callbacks): Promise<void> {
  const { identifier } = created;
  const token = session.accessToken;
  const act = (what: string) => ask<Payment>('POST', `payments/${identifier}/${what}`, { token });
  const read = () => ask<Payment>('GET', `payments/${identifier}`, { token });
  const choice = Promise.withResolvers<Choice>();
  const overlay = openOverlay(session.app.name, created, choice.resolve);
  try {
    overlay.show('Waiting for the shop to approve.', ['cancel']);
    const approved = await Promise.race([
      choice.promise,
      until(
        read,
        ({ status }) => status.developer_approved,
        () => callbacks.onReadyForServerApproval(identifier),
        approvalMs,
      ),
    ]);
    if (typeof approved !== 'string' && approved?.status.developer_approved)
      overlay.show('The shop has approved. Do you want to pay?', ['pay', 'cancel', 'fail']);
    else if (approved !== 'cancel') {
      const ended = approved ?? (await act('fail'));
      return callbacks.onError(new Error('The shop did not approve the payment.'), ended);
    }
    const chosen = await choice.promise;
    if (chosen === 'cancel') {
      await act('cancel');
      return callbacks.onCancel(identifier);
    }
    if (chosen === 'fail')
      return callbacks.onError(new Error('The simulated wallet broke.'), await act('fail'));
    overlay.show('Sending.', []);
    const { transaction } = await act('submit');
    overlay.close();
    await until(
      read,
      ({ status }) => status.developer_completed,
      () => callbacks.onReadyForServerCompletion(identifier, transaction!.txid),
    );
  } finally {
    overlay.close();
  }
}

/** Repeats a callback until the payment is as it should be, or cancelled; null when the limit passes before. */
async function until(
  read: () => Promise<Payment>,
  done: (payment: Payment) => boolean,
  callback: () => void,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<Payment | null> {
  const began = performance.now();
  let calledMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs - began > limitMs) return null;
    if (nowMs - calledMs >= intervalMs) {
      callback();
      calledMs = nowMs;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const payment = await read().catch(() => null);
    if (payment && (done(payment) || payment.status.cancelled || payment.status.user_cancelled))
      return payment;
  }
}

Reflect.set(window, 'Pi', { init, authenticate, createPayment });
