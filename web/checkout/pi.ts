/**
 * Paying with Pi's SDK. Loaded by the page's script where the SDK may be used. The SDK asks its user to confirm. The
 * gateway decides: it approves the payment before anything can be sent, and reads from the network what was sent.
 */
import { announce, byId } from './dom.ts';
import { lastRequest, rememberRequest } from './memory.ts';
import { reportToGateway } from './pi-calls.ts';
import { type PiOrder, type PiWord, piOrderOf } from './pi-order.ts';
import { loadSdk, type PiFault, type PiPayment, type PiSdk, withTimeout } from './pi-sdk.ts';
import { type PiStatus, showPiStatus } from './pi-status.ts';

/** Refusals of the gateway with a text of their own, because the customer can do more than load the page again. */
const refusals: Record<string, PiWord> = { pi_other_paid: 'otherPaid', pi_other_open: 'otherOpen' };

let part: HTMLElement | undefined;
let order: PiOrder;
const status: PiStatus = { waiting: null, problem: null, sent: null };

/** Connects this script to a new part of the page. A payment that was started continues. */
export function offer(fresh: HTMLElement): void {
  if (fresh === part) return;
  part = fresh;
  order = piOrderOf(fresh);
  status.sent = lastRequest(order)?.hash ?? null;
  // A failure is shown when the button is pressed, and not before.
  if (order.loadsAtOnce) loadSdk(order).catch(() => {});
  showPiStatus(status, order.words);
}

/** Requests the payment from Pi, unless that was started or done already. */
export function press(): void {
  if (!status.waiting && !status.sent) void pay();
}

async function pay(): Promise<void> {
  try {
    showWaiting('opening');
    const sdk = await loadSdk(order);
    await authenticate(sdk);
    if (status.sent) return;
    // The payment was made in another way meanwhile.
    if (!byId('pi-browser')) return change({ waiting: null });
    showWaiting('approving');
    await createPayment(sdk);
  } catch (thrown) {
    fail(textOf(thrown));
  }
}

/** Signs the user in. Pi then reports an unfinished payment, if there is one: it must end before a new one can begin. */
async function authenticate(sdk: PiSdk): Promise<void> {
  let earlier = Promise.resolve();
  let isAuthenticated = false;
  const onIncomplete = (found: PiPayment) => {
    earlier = finishEarlier(found);
    const done = () => {
      // One that is reported later has stopped the payment that was just requested.
      if (isAuthenticated) fail(order.words.earlierOpen);
    };
    earlier.then(done, done);
  };
  await withTimeout(order, 'noAnswer', sdk.authenticate(['payments'], onIncomplete));
  await earlier;
  isAuthenticated = true;
}

async function finishEarlier({ identifier, transaction, metadata }: PiPayment): Promise<void> {
  showWaiting('earlier');
  const txid = transaction?.txid;
  // It may be this same payment, from an earlier visit of the page.
  if (txid && metadata?.reference === order.fields.reference) showSent(txid);
  const report = { pi_payment: identifier, ...(txid && { txid }) };
  const answer = await reportToGateway(order, 'incomplete', report);
  const fault: PiFault = { word: 'earlierOpen' };
  if (!status.sent && (answer === null || answer.status === 'pending')) throw fault;
}

/** Resolves when Pi has requested the approval. Its other callbacks come later. */
async function createPayment(sdk: PiSdk): Promise<void> {
  const { amount, memo, fields } = order;
  // Answers come in any order: an answer about the approval is ignored after the end.
  let isOver = false;
  const end = (text: string) => {
    if (!isOver) fail(text);
    isOver = true;
  };
  const requested = new Promise<void>((resolve, reject) => {
    const created = sdk.createPayment(
      { amount, memo, metadata: { reference: fields.reference } },
      {
        onReadyForServerApproval: (identifier) => {
          resolve();
          void approve(identifier, end, (word) => isOver || showWaiting(word));
        },
        onReadyForServerCompletion: (identifier, txid) => {
          resolve();
          showSent(txid);
          void complete(identifier, txid);
        },
        onCancel: (identifier) => {
          resolve();
          end(order.words.declined);
          void reportToGateway(order, 'cancel', { pi_payment: identifier });
        },
        onError: (error, payment) => {
          resolve();
          const txid = payment?.transaction?.txid;
          if (txid) showSent(txid);
          else end(textOf(error));
        },
      },
    );
    Promise.resolve(created).catch(reject);
  });
  await withTimeout(order, 'noAnswer', requested);
}

/** Without an answer nothing ends: Pi repeats the request until its server knows of the approval. */
async function approve(
  identifier: string,
  end: (text: string) => void,
  wait: (word: PiWord) => void,
): Promise<void> {
  const answer = await reportToGateway(order, 'approve', { pi_payment: identifier });
  if (answer === null || answer.message_key === 'pi_not_reached') wait('notApproved');
  else if (answer.status === 'refused') end(order.words[refusals[answer.message_key ?? ''] ?? 'refused']);
  else if (answer.status === 'approved') wait('confirming');
}

/** Shows only a refusal. The page follows an accepted transfer like any other, by its stream. */
async function complete(identifier: string, txid: string): Promise<void> {
  const answer = await reportToGateway(order, 'complete', { pi_payment: identifier, txid });
  if (answer?.status !== 'refused') return;
  change({ problem: order.words.unmatched });
  announce(order.words.unmatched);
}

/** Shows that the payment was sent. From then on the page offers no second payment, even after a reload. */
function showSent(txid: string): void {
  if (status.sent === txid) return;
  rememberRequest(order, txid);
  change({ waiting: null, problem: null, sent: txid });
  announce(order.words.sentTitle);
}

/** The text for a fault of ours, or for an error of the SDK. */
function textOf(thrown: unknown): string {
  const { word, message } = (thrown ?? {}) as Partial<PiFault> & { message?: unknown };
  if (word) return order.words[word];
  const text = typeof message === 'string' && message.trim() !== '' ? message.trim() : String(thrown);
  const sentence = /[.!?。]$/.test(text) ? text : `${text}.`;
  return order.words.trouble.replace('{problem}', () => sentence.slice(0, 160));
}

function showWaiting(word: PiWord): void {
  const text = order.words[word];
  if (status.sent || status.waiting === text) return;
  change({ waiting: text, problem: null });
  announce(text);
}

function fail(text: string): void {
  if (status.sent) return;
  change({ waiting: null, problem: text });
  // The text names the transfer below.
  document.querySelector('#by-transfer')?.setAttribute('open', '');
  announce(text);
}

function change(changes: Partial<PiStatus>): void {
  Object.assign(status, changes);
  showPiStatus(status, order.words);
}
