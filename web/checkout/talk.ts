import { line, pressable } from './elements.ts';
import type { Asked } from './memory.ts';
import type { Order } from './order.ts';
import type { Wallet } from './providers.ts';

/** What the part about browser wallets shows. */
export type Talk = {
  wallets: Wallet[];
  /** What is being waited for; null while nothing is. */
  waiting: string | null;
  problem: string | null;
  asked: Asked | null;
  /** Whether the list of wallets, or the hint that there is none, is open. */
  isOpen: boolean;
  /** Whether the warning of a second payment is open. */
  isWarning: boolean;
};

export type Presses = { pay(wallet: Wallet): void; warn(): void; payAgain(): void };

/** Draws the part anew. Names and words are set as text, pictures as images. */
export function showTalk(part: HTMLElement, order: Order, talk: Talk, presses: Presses): void {
  const button = part.querySelector<HTMLButtonElement>('#pay-wallet');
  const box = part.querySelector<HTMLElement>('#wallet-talk');
  if (!button || !box) return;
  showButton(button, order, talk);
  highlight(talk);
  const focused = box.contains(document.activeElement) ? document.activeElement?.id : undefined;
  box.replaceChildren(
    ...(talk.waiting ? [line('waiting', talk.waiting)] : []),
    ...(talk.problem ? [line('problem', talk.problem)] : []),
    ...(talk.asked && !talk.waiting ? askedLines(order, talk, talk.asked, presses) : []),
    ...(talk.isOpen && !talk.waiting && !talk.asked ? choice(talk.wallets, order, presses) : []),
  );
  // Whoever goes by keyboard stays here, though what was pressed may be gone.
  if (focused !== undefined) (document.getElementById(focused) ?? button).focus({ preventScroll: true });
}

function showButton(button: HTMLButtonElement, { words }: Order, talk: Talk): void {
  const [only, another] = talk.wallets;
  if (only && !another)
    dress(
      button,
      only.icon,
      words.payWith.replace('{wallet}', () => only.name),
    );
  else dress(button, null, words.pay);
  button.ariaExpanded = only && !another ? null : `${talk.isOpen}`;
  button.ariaDisabled = `${talk.waiting !== null || talk.asked !== null}`;
}

function choice(wallets: Wallet[], { words }: Order, presses: Presses): HTMLElement[] {
  if (wallets.length === 0) return [line('hint', words.none)];
  const list = document.createElement('ul');
  list.ariaLabel = words.choose;
  for (const [index, wallet] of wallets.entries()) {
    const item = document.createElement('li');
    item.append(pressable(`wallet-${index}`, () => presses.pay(wallet)));
    dress(item.firstChild as HTMLButtonElement, wallet.icon, wallet.name);
    list.append(item);
  }
  return [list];
}

function askedLines(
  { words, explorer }: Order,
  talk: Talk,
  { hash }: Asked,
  presses: Presses,
): HTMLElement[] {
  const lines = [line(hash ? 'sent' : 'asked', hash ? words.sent : words.asked)];
  if (hash && explorer) lines.push(link(words.show, `${explorer}/tx/${encodeURIComponent(hash)}`));
  else if (hash) lines.push(line('code', hash));
  if (talk.isWarning) lines.push(line('warning', words.againWarning));
  lines.push(
    talk.isWarning
      ? pressable('wallet-again', presses.payAgain, words.againButton)
      : pressable('wallet-warn', presses.warn, words.again, 'quiet'),
  );
  return lines;
}

/**
 * The filled button is what most people need next: their wallet where there is one, else the address. Whoever
 * has sent needs the address no more.
 */
function highlight({ wallets, asked }: Talk): void {
  const isWallet = wallets.length > 0;
  document.getElementById('pay-wallet')?.classList.toggle('primary', isWallet);
  const copy = document.getElementById('copy-action');
  copy?.classList.toggle('primary', !isWallet);
  copy?.toggleAttribute('hidden', asked !== null);
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
