/**
 * Paying with a browser wallet. Loaded by the page's script where the payment can be made on an EVM chain. This script
 * reports nothing to the gateway, which reads the transfer from the chain like any other.
 */
import { announce, byId } from './dom.ts';
import { lastRequest, rememberRequest, restoreRequest } from './memory.ts';
import { type Order, orderOf, type Word } from './order.ts';
import { discoverWallets, foundWallets, type Wallet } from './providers.ts';
import { showWalletStatus, type WalletStatus } from './wallet-status.ts';

/** How often the receipt of a sent transaction is read. */
const LOOK_MS = 4_000;

let part: HTMLElement | undefined;
let order: Order;
const status: WalletStatus = {
  wallets: [],
  waiting: null,
  problem: null,
  request: null,
  isOpen: false,
  isWarning: false,
};

/** Connects this script to a new part of the page. A payment that was started continues. */
export function offer(fresh: HTMLElement): void {
  if (fresh === part) return;
  const isFirst = part === undefined;
  part = fresh;
  order = orderOf(fresh);
  status.request = lastRequest(order);
  if (isFirst) discoverWallets(show);
  show();
}

/** Pays with the only wallet of the browser. Shows a list if there are several, and a hint if there is none. */
export function press(): void {
  if (status.waiting || status.request) return;
  const [only] = status.wallets;
  if (only && status.wallets.length === 1) return void pay(only);
  change({ isOpen: !status.isOpen, problem: null });
  if (!only && status.isOpen) announce(order.words.none);
}

function show(): void {
  if (!part) return;
  status.wallets = foundWallets(order.words.unnamed);
  showWalletStatus(part, order, status, { pay: (wallet) => void pay(wallet), warn, payAgain });
}

function warn(): void {
  change({ isWarning: true });
  byId('wallet-again')?.focus();
}

/** Offers the wallets again after the warning. The earlier request stays stored. */
function payAgain(): void {
  change({ request: null, isWarning: false, isOpen: false });
  press();
}

async function pay({ provider }: Wallet): Promise<void> {
  if (status.waiting) return;
  showWaiting('connecting');
  const transfer = await loadTransfer().catch(() => null);
  // The gateway has other scripts by now, or cannot be reached.
  if (!transfer) return location.reload();
  const before = lastRequest(order);
  try {
    const account = await transfer.prepare(provider, order, showWaiting, fillFaucet);
    const fresh = byId('browser-wallet');
    // The payment was made in another way meanwhile.
    if (!fresh) return change({ waiting: null });
    // The missing amount may be smaller now.
    order = orderOf(fresh);
    showWaiting('confirming');
    // Stored before the request is made, because the customer may leave the page before the answer.
    rememberRequest(order, null);
    const hash = await transfer.send(provider, order, account);
    rememberRequest(order, hash);
    change({ waiting: null, request: lastRequest(order), isOpen: false });
    announce(order.words.sentTitle);
    watch(() => transfer.isReverted(provider, hash), hash);
  } catch (thrown) {
    const { text, nothingSent } = transfer.problemOf(thrown, order);
    if (nothingSent) restoreRequest(order, before);
    change({ waiting: null, problem: text, request: lastRequest(order) });
    announce(text);
  }
}

/** The script that asks a wallet is loaded when it is needed: most customers pay in another way. */
function loadTransfer(): Promise<typeof import('./problem.ts') & typeof import('./transfer.ts')> {
  return import(part?.dataset.transfer ?? '');
}

/** Looks for a revert of the transaction until the gateway has seen it. */
function watch(isReverted: () => Promise<boolean>, hash: string): void {
  const timer = setInterval(async () => {
    if (status.request?.hash !== hash) return clearInterval(timer);
    if (!(await isReverted().catch(() => false))) return;
    clearInterval(timer);
    restoreRequest(order, null);
    change({ request: null, problem: order.words.reverted });
    announce(order.words.reverted);
  }, LOOK_MS);
}

function showWaiting(word: Word): void {
  change({ waiting: order.words[word], problem: null });
  announce(order.words[word]);
}

function change(changes: Partial<WalletStatus>): void {
  Object.assign(status, changes);
  show();
}

/** Fills the connected account into the form for test coins. */
function fillFaucet(account: string): void {
  const field = byId<HTMLInputElement>('address');
  if (field && field.value === '') field.value = account;
}
