import { buttonOf, line } from './elements.ts';
import type { WalletRequest } from './memory.ts';
import type { Order } from './order.ts';
import type { Wallet } from './providers.ts';

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
  { words, explorer }: Order,
  status: WalletStatus,
  { hash }: WalletRequest,
  presses: Presses,
): HTMLElement[] {
  const lines = [line(hash ? 'sent' : 'requested', hash ? words.sent : words.requested)];
  if (hash && explorer) lines.push(link(words.show, `${explorer}/tx/${encodeURIComponent(hash)}`));
  else if (hash) lines.push(line('code', hash));
  if (status.isWarning) lines.push(line('warning', words.againWarning));
  lines.push(
    status.isWarning
      ? buttonOf('wallet-again', presses.payAgain, words.againButton)
      : buttonOf('wallet-warn', presses.warn, words.again, 'quiet'),
  );
  return lines;
}

/**
 * Fills the button that most people need next: the wallet's if there is one, else the one that copies the address.
 * After a request the address is hidden.
 */
function highlight({ wallets, request }: WalletStatus): void {
  const isWallet = wallets.length > 0;
  document.getElementById('pay-wallet')?.classList.toggle('primary', isWallet);
  const copy = document.getElementById('copy-action');
  copy?.classList.toggle('primary', !isWallet);
  copy?.toggleAttribute('hidden', request !== null);
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
