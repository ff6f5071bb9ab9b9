import { buttonOf, line } from './elements.ts';
import type { WalletRequest } from './memory.ts';
import type { Order } from './order.ts';
import type { Wallet } from './providers.ts';
import { ownPage } from './sent.ts';
import { lengthOf } from './times.ts';

/** What the part for paying with a browser wallet shows. */
export type WalletStatus = {
  wallets: Wallet[];
  /** The text about what the page waits for; null when it waits for nothing. */
  waiting: string | null;
  problem: string | null;
  request: WalletRequest | null;
  /** Whether the list of wallets, or the hint that there is none, is open. */
  isOpen: boolean;
  /** Whether the warning of a second payment is open. */
  isWarning: boolean;
};

export type Presses = { pay(wallet: Wallet): void; warn(): void; payAgain(): void };

/** Draws the part again. Names and texts are set as text, pictures as images. */
export function showWalletStatus(
  part: HTMLElement,
  order: Order,
  status: WalletStatus,
  presses: Presses,
): void {
  const button = part.querySelector<HTMLButtonElement>('#pay-wallet');
  const box = part.querySelector<HTMLElement>('#wallet-status');
  if (!button || !box) return;
  showButton(button, order, status);
  highlight(status);
  ownPage(status.request?.hash ? order.words : null);
  const focused = box.contains(document.activeElement) ? document.activeElement?.id : undefined;
  box.replaceChildren(
    ...(status.waiting ? [line('waiting', status.waiting)] : []),
    ...(status.problem ? [line('problem', status.problem)] : []),
    ...(status.request && !status.waiting ? requestLines(order, status, status.request, presses) : []),
    ...(status.isOpen && !status.waiting && !status.request ? choice(status.wallets, order, presses) : []),
  );
  // The keyboard focus stays in this part, even if the pressed button is gone.
  if (focused !== undefined) (document.getElementById(focused) ?? button).focus({ preventScroll: true });
}

function showButton(button: HTMLButtonElement, { words }: Order, status: WalletStatus): void {
  const [only, another] = status.wallets;
  if (only && !another)
    dress(
      button,
      only.icon,
      words.payWith.replace('{wallet}', () => only.name),
    );
  else dress(button, null, words.pay);
  button.ariaExpanded = only && !another ? null : `${status.isOpen}`;
  button.ariaDisabled = `${status.waiting !== null || status.request !== null}`;
}

function choice(wallets: Wallet[], { words }: Order, presses: Presses): HTMLElement[] {
  if (wallets.length === 0) return [line('hint', words.none)];
  const list = document.createElement('ul');
  list.ariaLabel = words.choose;
  for (const [index, wallet] of wallets.entries()) {
    const item = document.createElement('li');
    item.append(buttonOf(`wallet-${index}`, () => presses.pay(wallet)));
    dress(item.firstChild as HTMLButtonElement, wallet.icon, wallet.name);
    list.append(item);
  }
  return [list];
}

function requestLines(
  order: Order,
  status: WalletStatus,
  { hash, at }: WalletRequest,
  presses: Presses,
): HTMLElement[] {
  const { words } = order;
  const again = status.isWarning
    ? buttonOf('wallet-again', presses.payAgain, words.againButton)
    : buttonOf('wallet-warn', presses.warn, hash ? words.notThrough : words.again, 'quiet');
  const warning = hash ? words.notThroughLead : words.againWarning;
  const asking = [...(status.isWarning ? [line('warning', warning)] : []), again];
  if (!hash) return [line('requested', words.requested), ...asking];
  return [...sentLines(order, hash, at), later(at + order.lateAfterMs, asking)];
}

/** The transaction, the time since it was sent, and how long its network usually needs. */
function sentLines({ words, explorer }: Order, hash: string, at: number): HTMLElement[] {
  const since = document.createElement('span');
  const ago = line('hint', ` ${words.sentUsual}`);
  Object.assign(since.dataset, { since: `${at}`, template: words.sentSince, here: '' });
  since.textContent = words.sentSince.replace('{time}', () => lengthOf(Date.now() - at, 'short'));
  ago.prepend(since);
  const shown = explorer ? [link(words.show, `${explorer}/tx/${encodeURIComponent(hash)}`)] : [];
  return [line('code sent', hash), ago, ...shown];
}

/** What the page's clocks show from then on. */
function later(from: number, content: HTMLElement[]): HTMLElement {
  const box = document.createElement('div');
  Object.assign(box.dataset, { from: `${from}`, here: '' });
  box.hidden = Date.now() < from;
  box.append(...content);
  return box;
}

/** Fills the wallet's button where there is one: it is what most people need next. */
function highlight({ wallets }: WalletStatus): void {
  document.getElementById('pay-wallet')?.classList.toggle('primary', wallets.length > 0);
}

function dress(button: HTMLButtonElement, icon: string | null, text: string): void {
  const label = document.createElement('span');
  label.textContent = text;
  const picture = document.createElement('img');
  picture.alt = '';
  picture.width = picture.height = 24;
  if (icon) picture.src = icon;
  button.replaceChildren(...(icon ? [picture] : []), label);
}

function link(text: string, address: string): HTMLElement {
  const anchor = document.createElement('a');
  anchor.className = 'button plain';
  anchor.href = address;
  anchor.target = '_blank';
  anchor.rel = 'noreferrer';
  anchor.textContent = text;
  return anchor;
}
