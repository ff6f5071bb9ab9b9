/**
 * Paying with a wallet of this browser. Loaded by the page's script where the payment can be made on an EVM
 * chain. The gateway needs nothing of it: it sees the transfer on the chain like any other.
 */
import { announce, byId } from './dom.ts';
import { lastAsked, rememberAsked, restoreAsked } from './memory.ts';
import { type Order, orderOf, type Word } from './order.ts';
import { problemOf } from './problem.ts';
import { discoverWallets, foundWallets, type Provider, type Wallet } from './providers.ts';
import { showTalk, type Talk } from './talk.ts';
import { isReverted, prepare, send } from './transfer.ts';

/** How often the network is asked whether it refused what was sent. */
const LOOK_MS = 4_000;

let part: HTMLElement | undefined;
let order: Order;
const talk: Talk = {
  wallets: [],
  waiting: null,
  problem: null,
  asked: null,
  isOpen: false,
  isWarning: false,
};

/** Brings a fresh part of the page to life. What is under way goes on. */
export function offer(fresh: HTMLElement): void {
  if (fresh === part) return;
  const isFirst = part === undefined;
  part = fresh;
  order = orderOf(fresh);
  talk.asked = lastAsked(order);
  if (isFirst) discoverWallets(show);
  show();
}

/** Pays with the wallet of the browser; lists them where there are several, and says so where there is none. */
export function press(): void {
  if (talk.waiting || talk.asked) return;
  const [only] = talk.wallets;
  if (only && talk.wallets.length === 1) return void pay(only);
  change({ isOpen: !talk.isOpen, problem: null });
  if (!only && talk.isOpen) announce(order.words.none);
}

function show(): void {
  if (!part) return;
  talk.wallets = foundWallets(order.words.unnamed);
  showTalk(part, order, talk, { pay: (wallet) => void pay(wallet), warn, payAgain });
}

function warn(): void {
  change({ isWarning: true });
  byId('wallet-again')?.focus();
}

/** Warned, and sure: the wallets are offered once more, though what was asked is not forgotten. */
function payAgain(): void {
  change({ asked: null, isWarning: false, isOpen: false });
  press();
}

async function pay({ provider }: Wallet): Promise<void> {
  if (talk.waiting) return;
  const before = lastAsked(order);
  try {
    const account = await prepare(provider, order, tell, fillFaucet);
    const fresh = byId('browser-wallet');
    // Paid in the meantime, by another way.
    if (!fresh) return change({ waiting: null });
    // What is still to send may have become less.
    order = orderOf(fresh);
    tell('confirming');
    // Remembered before it is asked: the answer may come after this page has been left.
    rememberAsked(order, null);
    const hash = await send(provider, order, account);
    rememberAsked(order, hash);
    change({ waiting: null, asked: lastAsked(order), isOpen: false });
    announce(order.words.sent);
    watch(provider, hash);
  } catch (thrown) {
    const { text, nothingSent } = problemOf(thrown, order);
    if (nothingSent) restoreAsked(order, before);
    change({ waiting: null, problem: text, asked: lastAsked(order) });
    announce(text);
  }
}

/** Until the gateway has seen it, the page finds out by itself whether the network refused it. */
function watch(provider: Provider, hash: string): void {
  const timer = setInterval(async () => {
    if (talk.asked?.hash !== hash) return clearInterval(timer);
    if (!(await isReverted(provider, hash).catch(() => false))) return;
    clearInterval(timer);
    restoreAsked(order, null);
    change({ asked: null, problem: order.words.reverted });
    announce(order.words.reverted);
  }, LOOK_MS);
}

function tell(word: Word): void {
  change({ waiting: order.words[word], problem: null });
  announce(order.words[word]);
}

function change(changes: Partial<Talk>): void {
  Object.assign(talk, changes);
  show();
}

/** Whoever asks for test coins most likely wants them in the wallet that is connected. */
function fillFaucet(account: string): void {
  const field = byId<HTMLInputElement>('address');
  if (field && field.value === '') field.value = account;
}
