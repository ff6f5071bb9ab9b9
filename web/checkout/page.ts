/**
 * The hosted page's script. The page works without it; it adds what a document alone cannot do: it hears of
 * changes and swaps `main` for a fresh one from the server, copies, counts down, and shows the time left.
 */
import { setClock, startClocks, stopCountdown, tick } from './clocks.ts';
import { copyFrom } from './copy.ts';
import { byId, mainPart } from './dom.ts';
import { follow, refresh } from './live.ts';

const TICK_MS = 1_000;

function enhance(): void {
  startClocks();
  tick(refresh);
  void offerBrowserWallet();
}

/**
 * Most pages need none, so what speaks with wallets is loaded only where one can pay. A press that came sooner
 * than its script is not lost.
 */
async function offerBrowserWallet(isPressed = false): Promise<void> {
  const script = byId('browser-wallet')?.dataset.script;
  if (!script) return;
  const { offerWallets, pressWallets } = (await import(script)) as typeof import('./wallet.ts');
  // The page may have changed while the script came.
  const part = byId('browser-wallet');
  if (!part) return;
  offerWallets(part);
  if (isPressed) pressWallets();
}

function onClick(event: Event): void {
  const button = (event.target as Element).closest<HTMLElement>('button');
  if (button?.dataset.copy) void copyFrom(button);
  if (button?.id === 'stay') stopCountdown();
  if (button?.id === 'pay-wallet') void offerBrowserWallet(true);
}

/** One press is one request. */
function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
}

/** A page that the back button brings back may be sent again. */
function onPageShow(): void {
  for (const form of document.forms) form.ariaBusy = null;
}

/** A notice is said once: neither a reload nor a change of state says it again. */
function dropNotice(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('notice')) return;
  address.searchParams.delete('notice');
  history.replaceState(history.state, '', address);
}

document.addEventListener('click', onClick);
document.addEventListener('submit', onSubmit);
window.addEventListener('pageshow', onPageShow);
setInterval(() => tick(refresh), TICK_MS);
dropNotice();
setClock(mainPart());
enhance();
follow(enhance);
