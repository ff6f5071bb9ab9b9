/**
 * Paying inside the Pi Browser. Loaded by the page's script where Pi's SDK may be. The SDK asks its user, and the
 * gateway's server has the say: it approves before anything can be sent, and looks at the network for what was.
 */
import { announce, byId } from './dom.ts';
import { lastAsked, rememberAsked } from './memory.ts';
import { tellGateway } from './pi-calls.ts';
import { type PiOrder, type PiWord, piOrderOf } from './pi-order.ts';
import { loadSdk, type PiFault, type PiPayment, type PiSdk, withinPatience } from './pi-sdk.ts';
import { type PiTalk, showPiTalk } from './pi-talk.ts';

/** What the gateway says of a refusal, where its customer can do more about it than to load the page again. */
const refusals: Record<string, PiWord> = { pi_other_paid: 'otherPaid', pi_other_open: 'otherOpen' };

let part: HTMLElement | undefined;
let order: PiOrder;
const talk: PiTalk = { waiting: null, problem: null, sent: null };

/** Brings a fresh part of the page to life. What is under way goes on. */
export function offer(fresh: HTMLElement): void {
  if (fresh === part) return;
  part = fresh;
  order = piOrderOf(fresh);
  talk.sent = lastAsked(order)?.hash ?? null;
  // A failure is told to whoever presses, and not before.
  if (order.loadsAtOnce) loadSdk(order).catch(() => {});
  showPiTalk(talk, order.words.sent);
}

/** Asks Pi for the payment, unless that is under way or done. */
export function press(): void {
  if (!talk.waiting && !talk.sent) void pay();
}

async function pay(): Promise<void> {
  try {
    say('opening');
    const sdk = await loadSdk(order);
    await authenticate(sdk);
    if (talk.sent) return;
    // Paid in the meantime, by another way.
    if (!byId('pi-browser')) return change({ waiting: null });
    say('approving');
    await createPayment(sdk);
  } catch (thrown) {
    fail(textOf(thrown));
  }
}

/** Also the moment when Pi tells of a payment that was left unfinished: no other one can be made before it ends. */
async function authenticate(sdk: PiSdk): Promise<void> {
  let earlier = Promise.resolve();
  let isAuthenticated = false;
  const onIncomplete = (found: PiPayment) => {
    earlier = finishEarlier(found);
    const done = () => {
      // One that is told of later has stopped the payment that was just asked for.
      if (isAuthenticated) fail(order.words.earlierOpen);
    };
    earlier.then(done, done);
  };
  await withinPatience(order, 'noAnswer', sdk.authenticate(['payments'], onIncomplete));
  await earlier;
  isAuthenticated = true;
}

async function finishEarlier({ identifier, transaction, metadata }: PiPayment): Promise<void> {
  say('earlier');
  const txid = transaction?.txid;
  const told = { pi_payment: identifier, ...(txid && { txid }) };
  // It may be this very payment, from before the page was left.
  if (txid && metadata?.reference === order.fields.reference) sentBy(txid);
  const answer = await tellGateway(order, 'incomplete', told);
  const fault: PiFault = { word: 'earlierOpen' };
  if (!talk.sent && (answer === null || answer.status === 'pending')) throw fault;
}

/** Resolves when Pi has asked for the approval; the rest is told by Pi, in its own time. */
async function createPayment(sdk: PiSdk): Promise<void> {
  const { amount, memo, fields } = order;
  // Answers come in any order: what is heard of the approval after the end says nothing any more.
  let isOver = false;
  const end = (text: string) => {
    if (!isOver) fail(text);
    isOver = true;
  };
  const asked = new Promise<void>((resolve, reject) => {
    const created = sdk.createPayment(
      { amount, memo, metadata: { reference: fields.reference } },
      {
        onReadyForServerApproval: (identifier) => {
          resolve();
          void approve(identifier, { end, say: (word) => isOver || say(word) });
        },
        onReadyForServerCompletion: (identifier, txid) => {
          resolve();
          sentBy(txid);
          void complete(identifier, txid);
        },
        onCancel: (identifier) => {
          resolve();
          end(order.words.declined);
          void tellGateway(order, 'cancel', { pi_payment: identifier });
        },
        onError: (error, payment) => {
          resolve();
          const txid = payment?.transaction?.txid;
          if (txid) sentBy(txid);
          else end(textOf(error));
        },
      },
    );
    Promise.resolve(created).catch(reject);
  });
  await withinPatience(order, 'noAnswer', asked);
}

type Telling = { end: (text: string) => void; say: (word: PiWord) => void };

/** Pi asks again until its server knows of the approval, so an answer that does not come is no end. */
async function approve(identifier: string, { end, say }: Telling): Promise<void> {
  const answer = await tellGateway(order, 'approve', { pi_payment: identifier });
  if (answer === null || answer.message_key === 'pi_not_reached') say('notApproved');
  else if (answer.status === 'refused') end(order.words[refusals[answer.message_key ?? ''] ?? 'refused']);
  else if (answer.status === 'approved') say('confirming');
}

/** Whatever becomes of it, the page hears as of any transfer; only what is not this payment's is told here. */
async function complete(identifier: string, txid: string): Promise<void> {
  const answer = await tellGateway(order, 'complete', { pi_payment: identifier, txid });
  if (answer?.status !== 'refused') return;
  change({ problem: order.words.unmatched });
  announce(order.words.unmatched);
}

/** From here on nobody is asked to pay again, though the page be left and opened anew. */
function sentBy(txid: string): void {
  if (talk.sent === txid) return;
  rememberAsked(order, txid);
  change({ waiting: null, problem: null, sent: txid });
  announce(order.words.sent);
}

/** What went wrong, in words; the SDK throws errors of its own. */
function textOf(thrown: unknown): string {
  const { word, message } = (thrown ?? {}) as Partial<PiFault> & { message?: unknown };
  if (word) return order.words[word];
  const text = typeof message === 'string' && message.trim() !== '' ? message.trim() : String(thrown);
  const sentence = /[.!?。]$/.test(text) ? text : `${text}.`;
  return order.words.trouble.replace('{problem}', () => sentence.slice(0, 160));
}

function say(word: PiWord): void {
  const text = order.words[word];
  if (talk.sent || talk.waiting === text) return;
  change({ waiting: text, problem: null });
  announce(text);
}

function fail(text: string): void {
  if (talk.sent) return;
  change({ waiting: null, problem: text });
  announce(text);
}

function change(changes: Partial<PiTalk>): void {
  Object.assign(talk, changes);
  showPiTalk(talk, order.words.sent);
}
