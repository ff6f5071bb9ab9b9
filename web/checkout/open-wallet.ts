import { byId } from './dom.ts';

/** Which wallet app was opened last in this browser. */
const KEY = 'florin-wallet';

/** Makes the wallet that was opened last the filled button. */
export function offerWallet(): void {
  const part = byId('open-wallet');
  const filled = part?.querySelector<HTMLAnchorElement>('.primary');
  const known = readWallet();
  if (!part || !filled || filled.dataset.wallet === known) return;
  const links = [...part.querySelectorAll<HTMLAnchorElement>('[data-wallet]')];
  const same = links.find(({ dataset }) => dataset.wallet === known);
  if (!same) return;
  const { href, dataset, id } = filled;
  const wallet = dataset.wallet ?? '';
  [filled.href, filled.id, filled.dataset.wallet] = [same.href, same.id, known];
  filled.textContent = (part.dataset.template ?? '').replace('{wallet}', () => known);
  [same.href, same.id, same.dataset.wallet] = [href, id, wallet];
  same.textContent = wallet || (part.dataset.other ?? '');
}

export function rememberWallet(wallet: string): void {
  try {
    localStorage.setItem(KEY, wallet);
  } catch {
    // Storage is switched off.
  }
}

function readWallet(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
